#include "apiserver/store/data_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace ingot::apiserver {
namespace {

[[noreturn]] void fail(const std::string& what, const std::string& path) {
  throw base::Error(fmt::format("{} {}: {}", what, path, std::strerror(errno)));
}

base::FileLock lockOrExplain(const std::string& folder) {
  base::makeFolder(folder, 0700);
  if (::chmod(folder.c_str(), 0700) != 0) fail("cannot make private", folder);
  auto lock = base::FileLock::tryLock(folder + "/lock");
  if (!lock) {
    throw base::Error(fmt::format(
        "the data folder {} is in use by another process: stop it, or choose another folder with --data-dir", folder));
  }
  return std::move(*lock);
}

}  // namespace

DataFolder::DataFolder(std::string path) : path_(std::move(path)), lock_(lockOrExplain(path_)) {}

std::string DataFolder::privateFile(const std::string& name) const {
  const std::string path = path_ + "/" + name;
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) fail("cannot open", path);
  const bool narrowed = ::fchmod(fd, 0600) == 0;
  ::close(fd);
  if (!narrowed) fail("cannot make private", path);
  return path;
}

void DataFolder::sync() const {
  const int fd = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) fail("cannot open", path_);
  const bool synced = ::fsync(fd) == 0;
  ::close(fd);
  if (!synced) fail("cannot sync", path_);
}

}  // namespace ingot::apiserver
