// Where BMCs send the events that they were asked to push (EventDestination; spec/bmc.md §13.2). The agent has one and
// lends it to the drivers.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace ingot::bmc {

class EventInbox {
 public:
  virtual ~EventInbox() = default;
  // For the events of one BMC: the same after a restart, and nobody else can guess it.
  [[nodiscard]] virtual std::string urlFor(const std::string& bmc) const = 0;
  // What all these URLs begin with.
  [[nodiscard]] virtual std::string prefix() const = 0;
  // Its certificate is one that no BMC can verify.
  [[nodiscard]] virtual bool isSelfSigned() const = 0;
  // Calls back on the loop with each body that comes to that URL, until the handle dies. The inbox outlives it.
  using OnBody = std::function<void(const std::string& body)>;
  [[nodiscard]] virtual std::shared_ptr<void> listen(const std::string& bmc, OnBody onBody) = 0;
};

}  // namespace ingot::bmc
