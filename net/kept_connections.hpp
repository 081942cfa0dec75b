// How many connections a transport keeps that nobody uses.
#pragma once

#include "net/client.hpp"

namespace ingot::net {

// As curlTransport(). A connection that is not kept costs the next request a new one, with TLS some milliseconds of
// CPU; one that is kept costs some 50 KiB. Of a thousand and more, up to a fifth more may be kept.
[[nodiscard]] std::unique_ptr<HttpTransport> curlTransport(base::Runtime runtime, std::size_t keptConnections);

}  // namespace ingot::net
