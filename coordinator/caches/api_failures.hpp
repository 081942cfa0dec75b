// Requests for an object that fail in one pass after the other. What lasts a moment is nobody's business; what goes on
// should be told.
#pragma once

#include "base/clock.hpp"
#include "kube/core/error.hpp"
#include "kube/core/object_key.hpp"
#include "kube/runtime/pass.hpp"

#include <map>

namespace ingot::coordinator {

class ApiFailures {
 public:
  // This one as well. True: for so long that people should know.
  [[nodiscard]] bool goesOn(const kube::ObjectKey& key, base::MonoTime now) {
    return now - since_.try_emplace(key, now).first->second >= kUntold;
  }
  // A pass ended without one, or the object is gone.
  void over(const kube::ObjectKey& key) { since_.erase(key); }

 private:
  static constexpr base::Duration kUntold = std::chrono::minutes(1);

  std::map<kube::ObjectKey, base::MonoTime> since_;
};

// A conflict is no failure: the next pass decides on what is there by then.
[[nodiscard]] inline bool isFailure(const kube::Error& error) { return error.code() != kube::Error::Code::conflict; }

// The pass failed: its edits, and what was to be told with them, are given up.
template <kube::Kind T>
void dropEdits(kube::Pass<T>& pass) {
  pass.draft().rebase(T(pass.draft().before()));
  pass.journal() = {};
}

}  // namespace ingot::coordinator
