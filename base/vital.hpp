// Tasks that the whole cannot do without: when one ends, so does the whole. A process that goes on without the task
// that does its work looks alive, and nothing restarts it.
#pragma once

#include "base/log.hpp"
#include "base/task.hpp"

#include <memory>
#include <string>

namespace ingot::base {

class VitalTasks {
 public:
  VitalTasks(const Executor& executor, Log log);
  ~VitalTasks();  // as of TaskGroup: after run() or close() has ended
  VitalTasks(const VitalTasks&) = delete;
  VitalTasks& operator=(const VitalTasks&) = delete;

  void spawn(std::string name, Task<void> task);
  // For tasks beside them that may end, or look after themselves.
  [[nodiscard]] TaskGroup& group() { return group_; }

  // Waits until one of them ends by itself; throws what it threw, an Error that names it when it just returned.
  [[nodiscard]] Task<void> failed();
  // The same, or until the caller is cancelled; all have been stopped and have ended when it throws.
  [[nodiscard]] Task<void> run();
  // Stops all and waits for them. As of TaskGroup.
  [[nodiscard]] Task<void> close();

 private:
  struct State;
  std::shared_ptr<State> state_;
  TaskGroup group_;
};

}  // namespace ingot::base
