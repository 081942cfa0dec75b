// Edits of a status that say nothing new but of which generation its conditions are. They go along with the next edit
// that does, which is often on its way: a machine that takes a host writes to it twice. After a few seconds they are
// written by themselves, as `kubectl wait` looks at the generation.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "base/clock.hpp"
#include "kube/core/object_key.hpp"

#include <map>

namespace ingot::coordinator::host {

// Pure.
[[nodiscard]] bool onlyRestates(const api::BareMetalHostStatus& before, api::BareMetalHostStatus after);

class Restatements {
 public:
  // How much longer that of this host may be put off; zero: no longer.
  [[nodiscard]] base::Duration mayWait(const kube::ObjectKey& host, base::MonoTime now);
  // It was written, or the host is gone.
  void over(const kube::ObjectKey& host) { since_.erase(host); }

 private:
  std::map<kube::ObjectKey, base::MonoTime> since_;
};

}  // namespace ingot::coordinator::host
