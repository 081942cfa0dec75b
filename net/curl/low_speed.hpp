// How slowly the body of an answer may arrive (libcurl's low-speed limit). Only the request's deadline bounds the time
// before its head: a server may need long to begin.
#pragma once

#include "net/client.hpp"

namespace ingot::net::curl {

struct LowSpeedLimit {
  long bytesPerSecond = 64;
  long seconds = 20;  // slower for so long: HttpError{timeout}. Streams have their own limit, HttpStream::next()
};

// As curlTransport(), with this limit.
[[nodiscard]] std::unique_ptr<HttpTransport> transport(base::Runtime runtime, LowSpeedLimit lowSpeed);

}  // namespace ingot::net::curl
