#include "cli/bundle/archive.hpp"

#include "cli/outcome.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

namespace ingot::cli::bundle {
namespace {

[[noreturn]] void cannot(const std::string& path, const std::string& why) {
  throw Failure(ExitCode::failed, fmt::format("{}: cannot be written: {}", path, why));
}

std::string systemReason() { return std::strerror(errno); }

// A new file of mode 0600 in the folder of `path`; its name replaces `name`.
int makeNeighbour(const std::string& path, std::string& name) {
  const std::filesystem::path wanted(path);
  name = (wanted.parent_path() / fmt::format(".{}.XXXXXX", wanted.filename().string())).string();
  const int fd = ::mkostemp(name.data(), O_CLOEXEC);
  if (fd < 0) cannot(path, systemReason());
  return fd;
}

// False: something is there already.
bool moveWithoutReplacing(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno == EINVAL) {  // the file system cannot say so
    if (::link(from.c_str(), to.c_str()) == 0) return ::unlink(from.c_str()) == 0;
  }
  if (errno == EEXIST) return false;
  cannot(to, systemReason());
}

Failure isThere(const std::string& path) {
  return {ExitCode::failed, fmt::format("{}: is there already; choose another --output", path)};
}

}  // namespace

Spool::Spool(const std::string& archivePath) {
  std::string name;
  fd_ = makeNeighbour(archivePath, name);
  ::unlink(name.c_str());
}

Spool::Spool(Spool&& other) noexcept : fd_(std::exchange(other.fd_, -1)), size_(std::exchange(other.size_, 0)) {}

Spool& Spool::operator=(Spool&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(size_, other.size_);
  return *this;
}

Spool::~Spool() {
  if (fd_ >= 0) ::close(fd_);
}

void Spool::append(std::string_view text) {
  while (!text.empty()) {
    const auto put = ::pwrite(fd_, text.data(), text.size(), static_cast<off_t>(size_));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) throw Failure(ExitCode::failed, "the bundle cannot be written: " + systemReason());
    text.remove_prefix(static_cast<std::size_t>(put));
    size_ += static_cast<std::size_t>(put);
  }
}

struct Archive::Writer {
  struct Free {
    void operator()(::archive* a) const { ::archive_write_free(a); }
  };
  int fd = -1;
  std::unique_ptr<::archive, Free> tar{::archive_write_new()};

  ~Writer() {
    tar.reset();
    if (fd >= 0) ::close(fd);
  }
  void check(const std::string& path, la_ssize_t code) const {
    if (code < ARCHIVE_OK && code != ARCHIVE_WARN) cannot(path, ::archive_error_string(tar.get()));
  }
  void begin(const std::string& path, const std::string& name, std::size_t size, base::WallTime now) const {
    const std::unique_ptr<::archive_entry, decltype(&::archive_entry_free)> entry(::archive_entry_new(),
                                                                                  ::archive_entry_free);
    ::archive_entry_set_pathname_utf8(entry.get(), name.c_str());
    ::archive_entry_set_filetype(entry.get(), AE_IFREG);
    ::archive_entry_set_perm(entry.get(), 0600);
    ::archive_entry_set_size(entry.get(), static_cast<la_int64_t>(size));
    ::archive_entry_set_mtime(entry.get(), std::chrono::system_clock::to_time_t(now), 0);
    check(path, ::archive_write_header(tar.get(), entry.get()));
  }
};

Archive::Archive(std::string path, std::string folder, base::WallTime now)
    : path_(std::move(path)), folder_(std::move(folder)), now_(now), writer_(std::make_unique<Writer>()) {
  if (::access(path_.c_str(), F_OK) == 0) throw isThere(path_);
  writer_->fd = makeNeighbour(path_, temporary_);
  ::archive* tar = writer_->tar.get();
  writer_->check(path_, ::archive_write_set_format_pax_restricted(tar));
  writer_->check(path_, ::archive_write_add_filter_gzip(tar));
  writer_->check(path_, ::archive_write_open_fd(tar, writer_->fd));
}

Archive::~Archive() {
  writer_.reset();
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void Archive::add(const std::string& name, std::string_view text) {
  writer_->begin(path_, folder_ + "/" + name, text.size(), now_);
  writer_->check(path_, ::archive_write_data(writer_->tar.get(), text.data(), text.size()));
}

void Archive::add(const std::string& name, const Spool& text) {
  writer_->begin(path_, folder_ + "/" + name, text.size(), now_);
  char piece[1 << 16];
  for (std::size_t at = 0; at < text.size();) {
    const auto got = ::pread(text.fd_, piece, sizeof piece, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) cannot(path_, got < 0 ? systemReason() : "it is shorter than it was");
    writer_->check(path_, ::archive_write_data(writer_->tar.get(), piece, static_cast<std::size_t>(got)));
    at += static_cast<std::size_t>(got);
  }
}

void Archive::finish() {
  writer_->check(path_, ::archive_write_close(writer_->tar.get()));
  if (::fsync(writer_->fd) != 0) cannot(path_, systemReason());
  if (!moveWithoutReplacing(temporary_, path_)) throw isThere(path_);
  temporary_.clear();
}

}  // namespace ingot::cli::bundle
