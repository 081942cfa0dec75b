#include "sim/http/static_files.hpp"

#include "net/url.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ingot::sim {

namespace {

constexpr std::size_t pieceSize = 256u << 10;

class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    struct stat info{};
    if (fd_ < 0 || ::fstat(fd_, &info) != 0 || !S_ISREG(info.st_mode)) return;
    size_ = static_cast<std::uint64_t>(info.st_size);
    modified_ = info.st_mtime;
    usable_ = true;
  }
  ~OpenFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  [[nodiscard]] bool usable() const { return usable_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::string lastModified() const {
    std::tm parts{};
    ::gmtime_r(&modified_, &parts);
    char text[64];
    return {text, std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts)};
  }
  [[nodiscard]] std::string read(std::uint64_t offset, std::size_t length) const {
    std::string bytes(length, '\0');
    const auto n = ::pread(fd_, bytes.data(), length, static_cast<off_t>(offset));
    bytes.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return bytes;
  }

 private:
  int fd_;
  std::uint64_t size_ = 0;
  std::time_t modified_ = 0;
  bool usable_ = false;
};

// Nothing above the root: no ".." segment, no NUL.
bool staysBelow(std::string_view path) {
  if (path.find('\0') != path.npos) return false;
  while (!path.empty()) {
    const auto end = std::min(path.find('/'), path.size());
    if (path.substr(0, end) == "..") return false;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return true;
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (ec != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<ByteRange> parseRange(std::string_view header, std::uint64_t size) {
  constexpr std::string_view unit = "bytes=";
  if (!header.starts_with(unit)) return std::nullopt;
  header.remove_prefix(unit.size());
  const auto dash = header.find('-');
  if (dash == header.npos || size == 0) return std::nullopt;
  const auto from = number(header.substr(0, dash));
  const auto to = number(header.substr(dash + 1));
  if (!from) {  // the last N bytes
    if (!to || *to == 0) return std::nullopt;
    const auto length = std::min(*to, size);
    return ByteRange{size - length, length};
  }
  const auto last = std::min(to.value_or(size - 1), size - 1);
  if (*from > last) return std::nullopt;
  return ByteRange{*from, last - *from + 1};
}

base::Task<void> StaticFiles::handle(net::ServerRequest request, net::Responder& out) {
  if (request.method != "GET" && request.method != "HEAD") {
    co_await out.send({.status = 405});
    co_return;
  }
  const auto path = net::percentDecode(request.path());
  if (root_.empty() || !staysBelow(path)) {
    co_await out.send({.status = 404});
    co_return;
  }
  const OpenFile file(root_ + path);
  if (!file.usable()) {
    co_await out.send({.status = 404});
    co_return;
  }

  const auto wanted = request.headers.get("Range");
  const auto range = parseRange(wanted, file.size());
  if (!wanted.empty() && !range) {
    co_await out.send({.status = 416, .headers = {{"Content-Range", fmt::format("bytes */{}", file.size())}}});
    co_return;
  }
  const ByteRange part = range.value_or(ByteRange{0, file.size()});
  net::Headers headers{{"Content-Type", "application/octet-stream"},
                       {"Accept-Ranges", "bytes"},
                       {"Last-Modified", file.lastModified()},
                       {"Content-Length", std::to_string(part.length)}};
  if (range)
    headers.set("Content-Range", fmt::format("bytes {}-{}/{}", part.first, part.first + part.length - 1, file.size()));

  co_await out.begin(range ? 206 : 200, std::move(headers));
  if (request.method == "GET")
    for (std::uint64_t done = 0; done < part.length;) {
      auto piece = file.read(part.first + done, std::min<std::uint64_t>(pieceSize, part.length - done));
      if (piece.empty()) break;  // the file shrank: end() breaks the connection
      done += piece.size();
      co_await out.write(std::move(piece));
    }
  co_await out.end();
}

}  // namespace ingot::sim
