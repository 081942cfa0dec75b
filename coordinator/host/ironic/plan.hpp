// What to do next with a node: the answer of the pure decisions, carried out by Session (session.hpp).
#pragma once

#include "ironic-client/state.hpp"

#include <string>

namespace ingot::coordinator::host::ironic_backend {

// How long to leave a node alone: at once, a short operation (3 s), a ramdisk at work (10 s).
enum class Pause { none, brief, extended };

struct Plan {
  enum class Kind {
    complete,
    wait,    // for `pause`
    fail,    // show `text` to the user
    giveUp,  // transient error `text`
    verb,    // send `verb`
    setMaintenance,
    clearMaintenance,
    // What only one operation does:
    configure,  // register: bring the record up to date
    startInspection,
    readInventory,
    deploy,
    reportDeployed,
    tearDown,
    restartTearDown,
    reportTornDown,
    release,  // remove: take a stale instance off the node, then delete it
    deleteNode,
  };
  Kind kind = Kind::complete;
  Pause pause = Pause::none;
  std::string text;
  ironic::Verb verb = ironic::Verb::manage;

  static Plan complete() { return {}; }
  static Plan wait(Pause pause) { return {.kind = Kind::wait, .pause = pause}; }
  static Plan fail(std::string text) { return {.kind = Kind::fail, .text = std::move(text)}; }
  static Plan giveUp(std::string text) { return {.kind = Kind::giveUp, .text = std::move(text)}; }
  static Plan send(ironic::Verb verb) { return {.kind = Kind::verb, .verb = verb}; }
  static Plan just(Kind kind) { return {.kind = kind}; }

  friend bool operator==(const Plan&, const Plan&) = default;
};

}  // namespace ingot::coordinator::host::ironic_backend
