// Writes of controllers by name: who, what, and where it matters what for.
#pragma once

#include "net/server.hpp"

#include <optional>
#include <string>

namespace ingot::tests::seeds {

// The resource of a path ("metal3machines"), and what follows the namespace's or the cluster's collection.
struct Place {
  std::string resource, name;
  bool isStatus = false;
};
[[nodiscard]] Place placeOf(std::string_view path);

// The right of RBAC that a request needs: "patch baremetalhosts/status.metal3.io"; "": none, it looks for kinds.
[[nodiscard]] std::string rightFor(const net::ServerRequest& request);

[[nodiscard]] bool isWatch(const net::ServerRequest& request);

// "machine: PATCH baremetalhosts claim"; nullopt: it writes nothing, or an Event. `author` "": told from a Node's
// patch.
[[nodiscard]] std::optional<std::string> nameOfWrite(const std::string& author, const net::ServerRequest& request);

}  // namespace ingot::tests::seeds
