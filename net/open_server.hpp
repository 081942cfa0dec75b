// A server for whoever comes. Nobody proves who he is by his connection, so that the oldest ones make room for newer
// ones: connections that are kept open keep nobody out. Its handler says so by HttpHandler::isAuthenticated().
#pragma once

#include "net/host_port.hpp"
#include "net/server.hpp"

#include <memory>
#include <optional>

namespace ingot::net {

// At every address of the machine when `at` names none. Throws base::Error when that cannot be had.
[[nodiscard]] std::unique_ptr<Server> listenForAll(const base::Runtime& runtime, const HostPort& at,
                                                   HttpHandler& handler, std::optional<ServerTls> tls = {});

// The same with bounds of the caller's own.
[[nodiscard]] std::unique_ptr<Server> listenAt(const base::Runtime& runtime, const HostPort& at, ServerOptions how,
                                               HttpHandler& handler);

}  // namespace ingot::net
