// Work that a BMC goes on with after it has answered (spec/bmc.md §9).
#pragma once

#include "bmc/redfish/connection.hpp"

#include <variant>

namespace ingot::bmc::redfish {

// Where to ask how it goes: the path that an answer names in one of the ways of the vendors; "": it names none. Any
// place that a 202 names is one, of another answer only what is called a task.
[[nodiscard]] std::string monitorOf(const net::HttpResponse& accepted);

enum class TaskState {
  running,
  done,
  failed,
  unseen,  // the BMC has forgotten it, has interrupted it, or cannot say now: its effect tells
};

struct TaskView {
  TaskState state = TaskState::running;
  std::vector<std::string> messageIds;                             // their last segments
  std::string text;                                                // why it failed; for people once it is inWords()
  std::vector<std::variant<std::string, UnresolvedMessage>> told;  // what `text` is made of: words, or none
  int percent = -1;                                                // how far it is; -1: not told
  bool isOther = false;  // done, by a document that is neither a task nor says so: a monitor's result, or no monitor
  std::string since;     // when it began, in the BMC's words; "": not told
  std::string next;      // it has ended by becoming this job: what is to be looked at from now on
};

// What one look at a monitor or a task says. Pure.
[[nodiscard]] TaskView viewOf(int status, const json::Value& document);

// `text` in words where the BMC has words for its messages, as far as they are to be had within a few seconds.
[[nodiscard]] base::Task<TaskView> inWords(Connection& connection, Lane lane, TaskView view);

// Of a task that has ended badly, as if it had been refused at once.
[[nodiscard]] Refusal refusalOf(TaskView end);

// Looks until the task has ended or `limit` has passed (then it is running still). A BMC that does not answer
// meanwhile, because it restarts say, is no failure. The end is not inWords(). Throws what says that nothing can be
// asked any more: a login refused, no turn.
[[nodiscard]] base::Task<TaskView> followTask(base::Clock& clock, Connection& connection, Lane lane,
                                              std::string monitor, base::Duration limit);

}  // namespace ingot::bmc::redfish
