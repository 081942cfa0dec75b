// Through which proxy a server is reached, as Go's programs (so kubectl and Metal3's managers) read the environment:
// HTTPS_PROXY or HTTP_PROXY by the server's scheme, NO_PROXY for exceptions, each in small letters too. localhost and
// loopback addresses are never behind a proxy. BMCs are not either, whatever the environment says: their clients ask
// nobody. (libcurl's own reading differs: it wants http_proxy in small letters and sends loopback to the proxy.)
#pragma once

#include "base/secret.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace ingot::net {

// For ClientOptions::proxy; empty: none. `url` is the server's. Throws base::InvalidInput naming the variable.
[[nodiscard]] base::Secret proxyFor(
    std::string_view url, const std::function<std::optional<std::string>(std::string_view name)>& environment);

// A proxy as people write it ("proxy:3128", "http://user:password@proxy") with scheme and port; nullopt when it is none
// of http, https and socks5.
[[nodiscard]] std::optional<std::string> normalisedProxy(std::string_view text);

}  // namespace ingot::net
