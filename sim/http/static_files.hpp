// A folder over HTTP: Ironic's http_root, and images. GET and HEAD, one byte range.
#pragma once

#include "net/server.hpp"

#include <string>

namespace ingot::sim {

class StaticFiles final : public net::HttpHandler {
 public:
  explicit StaticFiles(std::string root) : root_(std::move(root)) {}
  [[nodiscard]] base::Task<void> handle(net::ServerRequest request, net::Responder& out) override;

 private:
  std::string root_;  // "" serves nothing
};

struct ByteRange {
  std::uint64_t first = 0, length = 0;
};

// Of "bytes=5-9", "bytes=5-", "bytes=-3" against a file of `size`; nullopt when it asks for nothing that exists.
[[nodiscard]] std::optional<ByteRange> parseRange(std::string_view header, std::uint64_t size);

}  // namespace ingot::sim
