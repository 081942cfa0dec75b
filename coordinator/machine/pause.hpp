// How the pause of a Cluster reaches the hosts of its machines, and when `clusterctl move` may take them along
// (spec/capm3.md §12). Pure: edits of drafts.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "api/bmh/carried_term.hpp"

#include <string>
#include <string_view>

namespace ingot::coordinator::machine {

using api::BareMetalHost;

// A host in use is not moved before its pause stands and it carries its status.
void blockMove(BareMetalHost& host, const api::Carrying& carrying);
// Its Cluster rests: the host does too, with a copy of its status, and what agents obey, for the place it may be moved
// to. A pause that somebody else has set stays as it is, and a copy that is there already. What a host carries of which
// nobody has taken over the status yet is never touched: it may be the only record of a machine in use.
void pauseHost(BareMetalHost& host, const api::Carrying& carrying);
// Nothing of its status would be lost in a move: it carries a copy, or has none of its own yet.
[[nodiscard]] bool carriesStatus(const BareMetalHost& host);
// It rests, with all that it is to take along.
[[nodiscard]] bool isPacked(const BareMetalHost& host, const api::Carrying& carrying);
// Whether the pause stands and the move may begin; the block goes with a write of its own, after the pause.
[[nodiscard]] bool isPaused(const BareMetalHost& host);
// Nothing is being done to it that another coordinator would have to do anew. Of one whose status was not taken over
// yet what it carries counts; where that was refused nobody knows.
[[nodiscard]] bool isAtRest(const BareMetalHost& host);
// It rests, and where it arrives everything is known of it again, and obeyed.
[[nodiscard]] bool isReadyToMove(const BareMetalHost& host, const api::Carrying& carrying);
// Has it carry a copy of its status as it is now, without its inventory, which has an object of its own.
void carryStatus(BareMetalHost& host);
void allowMove(BareMetalHost& host);
// Its Cluster works again; only a pause of ours ends, and not on a host that is labelled as another Cluster's.
void resumeHost(BareMetalHost& host, const std::string& clusterName, const api::Carrying& carrying);
// `clusterctl move` deletes it here because it lives on elsewhere: nothing is cleaned up for it.
[[nodiscard]] bool isBeingMoved(const kube::ObjectMeta& metadata);
// Nothing of ours stays on a host that is let go.
void forgetPause(BareMetalHost& host);

}  // namespace ingot::coordinator::machine
