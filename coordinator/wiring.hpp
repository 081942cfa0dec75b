// Puts the controllers together while this process leads.
#pragma once

#include "base/metrics.hpp"
#include "coordinator/options.hpp"
#include "coordinator/readings/api.hpp"
#include "kube/client/config.hpp"
#include "kube/runtime/served_kinds.hpp"
#include "kube/runtime/unreadable.hpp"
#include "wire/link.hpp"

namespace ingot::coordinator {

// Opens the link that agents connect to; a test hands in one without sockets.
using BindLink = std::function<std::unique_ptr<wire::CoordinatorLink>(base::Runtime, wire::CoordinatorSocket)>;

// For who must know which part of the coordinator writes; empty: all have the same client.
using ClientOf = std::function<kube::Client&(Part)>;

struct Leadership {
  base::Runtime runtime;
  const Options& options;
  net::HttpTransport& transport;  // to Ironic
  const kube::Environment& environment;
  kube::Client& client;
  base::Metrics& metrics;
  BindLink bindLink;         // empty: no agents
  std::int64_t term;         // grows with each leader: fences what an earlier one left unfinished
  std::string lease;         // the uid of what counts the terms
  kube::ServedKinds& kinds;  // told what is watched
  kube::Unreadable unreadable = {};
  std::string ownNamespace = "default";
  readings::Api* readings = nullptr;  // shows what agents tell
  ClientOf clientOf = {};

  [[nodiscard]] kube::Client& clientFor(Part part) const { return clientOf ? clientOf(part) : client; }
};

struct LeastTermAsked {
  const Options& options;
  std::string ownNamespace = "default";
  std::string lease;  // the uid of what counts the terms
  base::WallTime now{};
};
// Agents obey no term below this, whatever has become of the Lease that counts them, and wherever they and their hosts
// come from.
[[nodiscard]] base::Task<std::int64_t> leastTerm(kube::Client& client, LeastTermAsked asked);

// Works until cancelled. Throws base::InvalidInput for settings that cannot work.
[[nodiscard]] base::Task<void> runControllers(Leadership lead);

}  // namespace ingot::coordinator
