// What a backend has to tell between reconciles. Whoever waits is looked at again at once, back-off or not.
#pragma once

#include "kube/runtime/subscription.hpp"

#include <string>
#include <variant>

namespace ingot::coordinator::host {

struct NodeChanged {
  std::string provisionerId;  // e.g. a sweep saw the node move
};

// The backend was unreachable or not ready, and is back.
struct BackendReturned {};

using BackendEvent = std::variant<NodeChanged, BackendReturned>;
using BackendListeners = kube::Listeners<BackendEvent>;

}  // namespace ingot::coordinator::host
