// What to do next with a node: the answers of the pure decisions. Every operation has a plan of its own: the steps that
// may lead up to any of them, which Session carries out (session.hpp), and those that only this operation has.
#pragma once

#include "ironic-client/state.hpp"

#include <string>
#include <variant>

namespace ingot::coordinator::host::ironic_backend {

// How long to leave a node alone: at once, a short operation (3 s), a ramdisk at work (10 s).
enum class Pause { none, brief, extended };

struct Wait {
  Pause pause = Pause::brief;
  friend bool operator==(const Wait&, const Wait&) = default;
};

// Show `text` to the user.
struct Fail {
  std::string text;
  friend bool operator==(const Fail&, const Fail&) = default;
};

// A transient error: nothing is shown, the operation is tried again.
struct GiveUp {
  std::string text;
  friend bool operator==(const GiveUp&, const GiveUp&) = default;
};

struct Send {
  ironic::Verb verb = ironic::Verb::manage;
  friend bool operator==(const Send&, const Send&) = default;
};

struct ClearMaintenance {
  friend bool operator==(const ClearMaintenance&, const ClearMaintenance&) = default;
};

// Nothing is left to do. No common step: not every operation can end without a step of its own.
struct Complete {
  friend bool operator==(const Complete&, const Complete&) = default;
};

using CommonStep = std::variant<Wait, Fail, GiveUp, Send, ClearMaintenance>;

template <class... Own>
using PlanOf = std::variant<Wait, Fail, GiveUp, Send, ClearMaintenance, Own...>;

// The same value among more alternatives.
template <class Wide, class... Narrow>
[[nodiscard]] Wide widened(std::variant<Narrow...> value) {
  return std::visit([](auto& one) -> Wide { return std::move(one); }, value);
}

}  // namespace ingot::coordinator::host::ironic_backend
