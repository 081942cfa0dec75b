// Controllers as values: whoever puts a process together lists them and starts the list.
#pragma once

#include "base/vital.hpp"
#include "kube/runtime/cache_base.hpp"
#include "kube/runtime/event_recorder.hpp"

#include <functional>
#include <string>
#include <vector>

namespace ingot::kube {

// A controller: what it reads, what it tells with, and how it works. All of it outlives its tasks.
struct Managed {
  std::string name;
  std::vector<CacheBase*> caches;
  std::vector<EventRecorder*> recorders;
  std::function<base::Task<void>()> run;
};

// Starts every cache and recorder once, however many controllers share it, then the controllers. When one of them ends,
// so does the whole (base::VitalTasks).
void start(base::VitalTasks& tasks, const std::vector<Managed>& controllers);

}  // namespace ingot::kube
