#include "base/file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace ingot::base {
namespace {

[[noreturn]] void fail(const std::string& path, const char* doing, int why = errno) {
  throw Error(path + ": " + doing + ": " + std::strerror(why));
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

// A path that is removed again unless the work on it was finished.
class Temporary {
 public:
  explicit Temporary(std::string path) : path_(std::move(path)) {}
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  void keep() { path_.clear(); }

 private:
  std::string path_;
};

std::string folderOf(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string readAll(int fd, const std::string& path, std::size_t limit) {
  std::string content;
  char piece[16384];
  while (true) {
    const auto got = ::read(fd, piece, sizeof piece);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path, "cannot read");
    if (got == 0) return content;
    content.append(piece, static_cast<std::size_t>(got));
    if (content.size() > limit) throw Error(path + ": larger than " + std::to_string(limit) + " bytes");
  }
}

void writeAll(int fd, const std::string& path, std::string_view content) {
  while (!content.empty()) {
    const auto put = ::write(fd, content.data(), content.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail(path, "cannot write");
    content.remove_prefix(static_cast<std::size_t>(put));
  }
}

}  // namespace

std::optional<std::string> readFileIfExists(const std::string& path, std::size_t limit) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0 && errno == ENOENT) return std::nullopt;
  if (file.get() < 0) fail(path, "cannot open");
  return readAll(file.get(), path, limit);
}

std::string readFile(const std::string& path, std::size_t limit) {
  auto content = readFileIfExists(path, limit);
  if (!content) fail(path, "cannot open", ENOENT);
  return std::move(*content);
}

void writeFileAtomically(const std::string& path, std::string_view content, unsigned mode) {
  std::string temporary = path + ".XXXXXX";
  const Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (file.get() < 0) fail(path, "cannot create a file beside it");
  Temporary unlessDone(temporary);
  if (::fchmod(file.get(), mode) != 0) fail(temporary, "cannot set its mode");
  writeAll(file.get(), temporary, content);
  if (::fsync(file.get()) != 0) fail(temporary, "cannot sync");
  if (::rename(temporary.c_str(), path.c_str()) != 0) fail(path, "cannot replace");
  unlessDone.keep();
  const Descriptor folder(::open(folderOf(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() < 0 || ::fsync(folder.get()) != 0) fail(folderOf(path), "cannot sync the folder");
}

void makeFolder(const std::string& path, unsigned mode) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const auto part = path.substr(0, end);
    if (::mkdir(part.c_str(), mode) != 0 && errno != EEXIST) fail(part, "cannot make the folder");
    if (end == std::string::npos) break;
  }
  struct stat found{};
  if (::stat(path.c_str(), &found) != 0 || !S_ISDIR(found.st_mode)) fail(path, "not a folder", ENOTDIR);
}

std::optional<FileLock> FileLock::tryLock(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) fail(path, "cannot open");
  FileLock lock(fd);
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return lock;
  if (errno == EWOULDBLOCK) return std::nullopt;
  fail(path, "cannot lock");
}

FileLock::FileLock(FileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  if (this != &other) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

FileLock::~FileLock() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace ingot::base
