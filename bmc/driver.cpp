#include "bmc/driver.hpp"

#include "bmc/bmc.hpp"
#include "bmc/each_capability.hpp"

namespace ingot::bmc {

Driver::Driver(Capabilities capabilities, std::shared_ptr<BmcUse> use)
    : Capabilities(std::move(capabilities)), use_(std::move(use)) {}

bool Driver::has(Capability capability) const {
  bool isThere = false;
  const Capabilities& all = *this;
  eachCapability(all, [&]<class Of>(const Offered<Of>& offered) {
    if (Of::capability == capability) isThere = static_cast<bool>(offered);
  });
  return isThere;
}

base::Task<void> Driver::close() { return use_->end(); }

}  // namespace ingot::bmc
