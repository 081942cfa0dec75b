// One host's view of its BMC, whatever that speaks: the capabilities that it has (capability/). A call of one is one or
// more exchanges, each in a turn of its own that the BMC's governor gives by the lane of the call: more urgent calls,
// of other hosts too, come in between.
#pragma once

#include "base/task.hpp"
#include "bmc/error.hpp"
#include "bmc/model/capability.hpp"

#include <concepts>
#include <memory>

namespace ingot::bmc {

class PowerControl;
class IdentitySource;
class HealthSource;
class InventorySource;
class SensorSource;
class LogSource;
class BootControl;
class MediaControl;
class EventSource;
class ErasureControl;
class CleaningControl;

// Empty where the protocol of the BMC has none of it. Whoever uses it then gets Error{unsupported}.
template <class Of>
class Offered {
 public:
  Offered() = default;
  template <class Implementation>
    requires std::convertible_to<std::shared_ptr<Implementation>, std::shared_ptr<Of>>
  Offered(std::shared_ptr<Implementation> of) : of_(std::move(of)) {}

  explicit operator bool() const { return of_ != nullptr; }
  [[nodiscard]] Of& operator*() const {
    if (!of_)
      throw Error(Error::Code::unsupported, "the protocol of this BMC has no " + std::string(toText(Of::capability)));
    return *of_;
  }
  [[nodiscard]] Of* operator->() const { return &**this; }
  [[nodiscard]] const std::shared_ptr<Of>& shared() const { return of_; }

 private:
  std::shared_ptr<Of> of_;
};

struct Capabilities {
  Offered<PowerControl> power;
  Offered<IdentitySource> identity;
  Offered<HealthSource> health;
  Offered<InventorySource> inventory;
  Offered<SensorSource> sensors;
  Offered<LogSource> logs;
  Offered<BootControl> boot;
  Offered<MediaControl> media;
  Offered<EventSource> events;
  Offered<ErasureControl> erasure;
  Offered<CleaningControl> cleaning;
};

class BmcUse;

class Driver : public Capabilities {
 public:
  Driver(Capabilities capabilities, std::shared_ptr<BmcUse> use);

  [[nodiscard]] bool has(Capability capability) const;

  // Lets go of the BMC; the last host that does logs out. Never throws; safe to call twice. Nothing may be asked
  // afterwards: Error{notPermitted}.
  [[nodiscard]] base::Task<void> close();

 private:
  std::shared_ptr<BmcUse> use_;
};

}  // namespace ingot::bmc
