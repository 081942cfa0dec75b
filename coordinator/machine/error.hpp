// Why a Metal3Machine cannot go on.
#pragma once

#include "base/error.hpp"

#include <cstdint>

namespace ingot::coordinator::machine {

enum class Problem : std::uint8_t {
  waiting,          // for something that comes by itself: look again in half a minute
  soon,             // for something that usually comes in a moment: as waiting, but told only when it lasts
  noHost,           // none fits: as waiting
  selector,         // the host selector, or the failure domain, makes no sense
  foreignSecret,    // a Secret of another namespace
  nothingToDeploy,  // neither an image nor a custom deploy step
  hostLink,         // the annotation that names the host
  hostTaken,        // it is somebody else's now, or fits no more; it was not told what to run
  hostLost,         // it was told what to run, by this machine or by somebody else
  refused,          // by the Kubernetes API
  node,             // the Nodes of the workload cluster contradict each other, or the machine
};

class MachineError final : public base::Error {
 public:
  MachineError(Problem problem, const std::string& text) : Error(text), problem_(problem) {}
  [[nodiscard]] Problem problem() const { return problem_; }

 private:
  Problem problem_;
};

}  // namespace ingot::coordinator::machine
