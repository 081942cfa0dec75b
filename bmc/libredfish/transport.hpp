// BMCs spoken to through DMTF's libredfish, by its raw asynchronous requests (docs/decisions/0027). Built with
// -DINGOT_LIBREDFISH=ON only.
//
// What it cannot do is refused by name and never done worse (possible.hpp): HTTPS to a host whose certificate is to be
// verified, by a CA or a pinned key, client certificates, old TLS and proxies when a client is made; streams, bodies of
// a DELETE and the like when a request is.
//
// What is worse than over libcurl alone and is not seen beforehand:
//  - `beforeSending` is called right before the request is handed to libredfish's thread, when no connection stands.
//    From there to the first byte there are the connect, the TLS handshake, and up to five seconds in which that thread
//    may miss that it has something to do. Such a request gets five seconds less than its deadline, so that it is over
//    by then, and is not sent at all where less than a second is left.
//  - A request that was sent is not given up before its time, also when its caller has gone: nothing stops it.
//  - A redirect is followed once by libredfish itself, with method and headers, wherever it leads, and without a body.
//  - An answer is held whole before its size is known: `bodyLimit` bounds what is handed on, not what is received.
//  - There is no time-out of the connect of its own: `connectTimeout` is not heeded, the request's deadline is.
//  - A value of a header ends at its first colon.
//  - Why there is no answer is not told: HttpError{timeout} once its time has passed, else HttpError{reset}, by which
//    the request may have been carried out.
#pragma once

#include "base/runtime.hpp"
#include "net/client.hpp"

#include <memory>

namespace ingot::bmc::libredfish {

// Its destructor waits for the requests under way, each for no longer than its deadline and a redirect allow. Throws
// base::Error where the environment names a proxy: libredfish would speak to BMCs through it.
[[nodiscard]] std::unique_ptr<net::HttpTransport> transport(base::Runtime runtime);

}  // namespace ingot::bmc::libredfish
