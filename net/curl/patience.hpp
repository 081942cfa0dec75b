// How slow the body of an answer may come. The time before its head is the request's deadline alone: a server may
// think.
#pragma once

#include "net/client.hpp"

namespace ingot::net::curl {

struct Patience {
  long bytesPerSecond = 64;
  long seconds = 20;  // slower for so long: HttpError{timeout}. Streams have their own limit, HttpStream::next()
};

// As curlTransport(), which has the patience of above.
[[nodiscard]] std::unique_ptr<HttpTransport> transport(base::Runtime runtime, Patience patience);

}  // namespace ingot::net::curl
