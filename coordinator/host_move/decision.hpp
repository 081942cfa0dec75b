// `clusterctl move` takes all hosts of a namespace along, those of no machine, too, and loses their status on the way
// (spec/cluster-api.md §1.13): where they arrive they would be registered, inspected and switched anew. So each host
// blocks the move until it is paused and carries its status, which it is when all Clusters of its namespace are paused
// and nothing is being done to it. Where there are none clusterctl pauses nothing: a person has to. Hosts of machines
// are their machine's business (machine/pause.hpp). Pure: edits of drafts.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "api/bmh/carried_term.hpp"

#include <cstdint>
#include <string>

namespace ingot::coordinator::host_move {

using api::BareMetalHost;

// Of one namespace.
enum class Clusters : std::uint8_t {
  unknownKind,  // Cluster API is not installed: clusterctl moves nothing
  none,
  working,
  paused,  // all of them
};

// Whether what a move takes along is put into the host: all Clusters of its namespace are paused or, where there are
// none, the host itself.
[[nodiscard]] bool isLeaving(const BareMetalHost& host, Clusters clusters);
[[nodiscard]] bool isPausedByUs(const BareMetalHost& host);

// The first write: what must stand before the move may begin, or that it may not. A pause of ours ends when a Cluster
// works, also on a host that is a machine's by now, or in deletion.
void guard(BareMetalHost& host, Clusters clusters, const api::Carrying& carrying);
// The second one, after it: the block goes, unless somebody else has set it.
void allowMove(BareMetalHost& host, Clusters clusters, const api::Carrying& carrying);

// What keeps a host in its place, for people, where a move may be under way: all Clusters of its namespace are paused,
// or somebody has paused a host that no machine has where there are none. "": nothing does, or nobody asks.
[[nodiscard]] std::string whyItWaits(const BareMetalHost& host, Clusters clusters, const api::Carrying& carrying);

}  // namespace ingot::coordinator::host_move
