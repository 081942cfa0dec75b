#include "kube/runtime/manager.hpp"

#include <set>

namespace ingot::kube {

void start(base::VitalTasks& tasks, const std::vector<Managed>& controllers) {
  std::set<CacheBase*> caches;
  std::set<EventRecorder*> recorders;
  for (const Managed& controller : controllers) {
    for (CacheBase* cache : controller.caches)
      if (caches.insert(cache).second) cache->start(tasks.group());
    for (EventRecorder* recorder : controller.recorders)
      if (recorders.insert(recorder).second) tasks.spawn("events", recorder->run());
  }
  for (const Managed& controller : controllers) tasks.spawn(controller.name + " controller", controller.run());
}

}  // namespace ingot::kube
