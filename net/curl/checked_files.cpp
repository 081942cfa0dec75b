#include "net/curl/checked_files.hpp"

#include "base/file.hpp"
#include "net/openssl.hpp"

#include <sys/stat.h>

namespace ingot::net::curl {

namespace {

constexpr std::size_t mostFiles = 64;

}  // namespace

void CheckedFiles::check(const std::string& path) {
  const auto seen = look(path);
  if (const auto known = good_.find(path); known != good_.end() && known->second == seen) return;
  if (openssl::readCertificates(base::readFile(path)).empty()) throw base::Error(path + " holds no PEM certificate");
  if (good_.size() >= mostFiles) good_.clear();
  good_[path] = seen;
}

// One that cannot be looked at is like no other: it is read, which says why.
CheckedFiles::Seen CheckedFiles::look(const std::string& path) {
  struct stat found{};
  if (::stat(path.c_str(), &found) != 0) return {};
  return {found.st_ino, found.st_size, found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
}

}  // namespace ingot::net::curl
