// What libredfish can do of what a client or a request asks for. The rest is refused before anything is sent.
#pragma once

#include "net/client.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace ingot::bmc::libredfish {

using Environment = std::function<std::optional<std::string>(std::string_view name)>;

// Throws base::Error: libcurl below libredfish goes through the proxy that the environment names.
void checkEnvironment(const Environment& environment);

// Throws HttpError{badRequest} for an unusable base URL or a proxy, HttpError{tls} for trust that libredfish cannot
// prove.
void checkClient(const net::ClientOptions& options);

// Throws HttpError{badRequest}. `target`: path and query as they are sent.
void checkRequest(const net::HttpRequest& request, const std::string& target);

// How many seconds libredfish gets for a request of which `left` is left. One that may change something (it has a
// beforeSending) is over by then, whatever libredfish's thread misses; nullopt: there is too little time for that.
[[nodiscard]] std::optional<std::chrono::seconds> timeFor(const net::HttpRequest& request, base::Duration left);

// It must not leave on a connection that was used before: libcurl would send it again when that turns out dead.
[[nodiscard]] bool wantsOwnConnection(const net::HttpRequest& request);

}  // namespace ingot::bmc::libredfish
