// Since when a host's passes have been failing on the backend. A pass that throws saves nothing; what lasts is shown in
// status.errorMessage all the same, or its user sees a host that stands still for no reason. It has no errorType: that
// says which work of the host failed, and none has.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "base/clock.hpp"
#include "kube/core/object_key.hpp"

#include <map>
#include <string>

namespace ingot::coordinator::host {

constexpr base::Duration worthTelling = std::chrono::minutes(1);  // what lasts so long

class LastingTrouble {
 public:
  // One more failed pass. True: they have been failing for long enough to be told of.
  [[nodiscard]] bool noteFailure(const kube::ObjectKey& key, base::MonoTime now);
  // A pass went well, or the host is gone.
  void over(const kube::ObjectKey& key) { since_.erase(key); }

 private:
  std::map<kube::ObjectKey, base::MonoTime> since_;
};

// Both leave an error with a type alone. Pure.
void showTrouble(api::BareMetalHost& host, const std::string& why);
void clearTrouble(api::BareMetalHost& host);

}  // namespace ingot::coordinator::host
