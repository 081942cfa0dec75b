// What is known of the erasure of a drive beside its record, in this run.
#pragma once

#include "base/clock.hpp"
#include "bmc/capability/erasure.hpp"

#include <optional>
#include <string>

namespace ingot::bmc {

struct ErasureAttempt {
  std::string controller;
  base::MonoTime notBefore{};
  std::optional<base::MonoTime> triedSince;  // in vain
  base::MonoTime begun{};
  std::optional<base::MonoTime> doneAt;                        // as the BMC says; the drive was not seen since
  bool answered = false;                                       // the request for it
  bool wasBusy = false;                                        // it was seen at it
  bool isLate = false;                                         // that was told
  bool isUnclear = false;                                      // what became of a request before
  bool isAsked = false;                                        // by this process
  enum class Task { unseen, seen, none } task = Task::unseen;  // what the BMC named for it
  std::string taskSince;                                       // when that one began, in the BMC's words

  // A request for it is about to leave.
  void begin(base::MonoTime now) {
    begun = now;
    answered = wasBusy = false;
    doneAt.reset();
    task = Task::unseen;
    taskSince.clear();
    isAsked = true;
  }

  // What the look at its task means for it, and for nothing else. A BMC that restarts may give the task's number to
  // another one; that is not the one that was named for this drive.
  [[nodiscard]] ErasureProgress::State note(const ErasureProgress& seen) {
    using State = ErasureProgress::State;
    if (seen.state == State::running || seen.state == State::done || seen.state == State::failed) {
      if (task == Task::seen && !taskSince.empty() && !seen.since.empty() && taskSince != seen.since)
        return State::forgotten;
      task = Task::seen;
      if (taskSince.empty()) taskSince = seen.since;
      if (!seen.task.empty()) taskSince.clear();  // of the one that goes on with it nothing is known yet
    }
    // What a task came to takes a task that was there.
    return seen.state == State::result && task != Task::seen ? State::noTask : seen.state;
  }
};

}  // namespace ingot::bmc
