// A part of the API that somebody else answers.
#pragma once

#include "net/server.hpp"

#include <string>
#include <string_view>

namespace ingot::apiserver {

[[nodiscard]] constexpr bool isBelow(std::string_view path, std::string_view prefix) {
  return path.starts_with(prefix) && (path.size() == prefix.size() || path[prefix.size()] == '/');
}

struct ApiExtension {
  std::string prefix;  // "/apis/GROUP/VERSION"
  net::HttpHandler* handler = nullptr;

  [[nodiscard]] bool answers(std::string_view path) const { return isBelow(path, prefix); }
};

}  // namespace ingot::apiserver
