#include "sim/machine/disk.hpp"

#include "base/error.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>

namespace ingot::sim {

namespace {

constexpr std::uint64_t tableRegion = 1u << 20;

class File {
 public:
  File(const std::string& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0600)) {}
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  [[nodiscard]] int fd() const { return fd_; }

 private:
  int fd_;
};

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw base::Error(fmt::format("{}: cannot {}: {}", path, what, std::strerror(errno)));
}

void writeFully(int fd, std::uint64_t offset, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const auto n = ::pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail(path, "write");
    offset += static_cast<std::uint64_t>(n);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

}  // namespace

bool Disk::bootable() const {
  if (::access(path_.c_str(), R_OK) != 0) return false;
  return read(510, 2) == "\x55\xaa";
}

void Disk::write(std::uint64_t offset, std::string_view bytes) {
  if (offset > size() || bytes.size() > size() - offset)
    throw base::Error(fmt::format("{}: the disk {} of {} MiB is full", path_, spec_.name, spec_.sizeMiB));
  const File file(path_, O_RDWR | O_CREAT);
  if (file.fd() < 0) fail(path_, "open");
  if (::ftruncate(file.fd(), static_cast<off_t>(size())) != 0) fail(path_, "size");
  writeFully(file.fd(), offset, bytes, path_);
}

std::string Disk::read(std::uint64_t offset, std::size_t length) const {
  std::string bytes(length, '\0');
  const File file(path_, O_RDONLY);
  if (file.fd() < 0) {
    if (errno == ENOENT) return bytes;
    fail(path_, "open");
  }
  std::size_t done = 0;
  while (done < length) {
    const auto n = ::pread(file.fd(), bytes.data() + done, length - done, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(path_, "read");
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  return bytes;
}

void Disk::eraseTables() {
  if (::access(path_.c_str(), F_OK) != 0) return;
  const std::string zeros(std::min(tableRegion, size()), '\0');
  write(0, zeros);
  write(size() - zeros.size(), zeros);
}

void Disk::eraseAll() {
  if (::truncate(path_.c_str(), 0) != 0 && errno != ENOENT) fail(path_, "erase");
}

}  // namespace ingot::sim
