// How often somebody who waits for a Node looks at news: at once, and once more as a Node often gets its labels a
// moment after it appears; then once a second, however much the workload cluster has to tell. Nothing is missed:
// whoever is to look later finds all that came until then.
#pragma once

#include "base/pace.hpp"
#include "kube/core/object_key.hpp"

#include <map>

namespace ingot::coordinator::workload {

class NewsPace {
 public:
  explicit NewsPace(base::Clock& clock) : clock_(clock) {}

  // There is news for `reader`: after how long it is to look. To be told to its queue each time: whatever else has it
  // look earlier would end a wait that was told once.
  [[nodiscard]] base::Duration take(const kube::ObjectKey& reader);

 private:
  void forgetRested(base::MonoTime now);

  base::Clock& clock_;
  std::map<kube::ObjectKey, base::Pace> paces_;  // of those who had news a moment ago
  base::MonoTime sweptAt_{};
};

}  // namespace ingot::coordinator::workload
