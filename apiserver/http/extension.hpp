// A part of the API that somebody else answers.
#pragma once

#include "net/server.hpp"

#include <string>
#include <string_view>

namespace ingot::apiserver {

struct ApiExtension {
  std::string prefix;  // "/apis/GROUP/VERSION"
  net::HttpHandler* handler = nullptr;

  [[nodiscard]] bool answers(std::string_view path) const {
    return path.starts_with(prefix) && (path.size() == prefix.size() || path[prefix.size()] == '/');
  }
};

}  // namespace ingot::apiserver
