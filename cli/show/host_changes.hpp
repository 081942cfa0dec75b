// What has changed of a host between two of its versions, for who watches a fleet.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "json/value.hpp"

#include <string>
#include <vector>

namespace ingot::cli {

struct HostChange {
  std::string what;      // "state", "power", "wanted", "health", "error", "consumer", "host"
  std::string from, to;  // "": it was, or is, nothing

  friend bool operator==(const HostChange&, const HostChange&) = default;
};

// In a fixed order. nullptr: the host was, or is, not there: one change of "host".
[[nodiscard]] std::vector<HostChange> changesBetween(const api::BareMetalHost* before, const api::BareMetalHost* after);

[[nodiscard]] std::string changeLine(const HostChange& change, const kube::ObjectKey& host, bool withNamespace,
                                     base::WallTime at);
[[nodiscard]] json::Object changeDocument(const HostChange& change, const kube::ObjectKey& host, base::WallTime at);

}  // namespace ingot::cli
