#include "bmc/bmc.hpp"

namespace ingot::bmc {

namespace {

// What a BMC grants or refuses: of one user, several privilege levels.
std::string accountOf(const Target& target) {
  if (target.address.traits().protocol != Protocol::ipmi) return target.login.username;
  return fmt::format("{} {}", target.login.username, target.address.privilegeLevel);
}

}  // namespace

Bmc::Bmc(base::Runtime runtime, const Target& target, std::shared_ptr<Traffic> traffic)
    : runtime_(std::move(runtime)),
      governor_(std::move(traffic), accountOf(target), target.login.password),
      password_(target.login.password) {}

BmcUse::BmcUse(std::shared_ptr<Bmc> bmc) : bmc_(std::move(bmc)) { ++bmc_->users_; }

BmcUse::~BmcUse() {
  if (!hasEnded_) --bmc_->users_;
}

base::Task<void> BmcUse::end() {
  if (std::exchange(hasEnded_, true)) co_return;
  if (--bmc_->users_ > 0) co_return;
  bmc_->isClosed_ = true;
  co_await bmc_->logOut();
}

void BmcUse::check() const {
  if (hasEnded_) throw Error(Error::Code::notPermitted, "the connection to the BMC has been closed");
}

WritePermit BmcUse::untilEnd(WritePermit permit) const {
  permit.beforeSending = [this, before = std::move(permit.beforeSending)] {
    check();
    if (before) before();
  };
  return permit;
}

}  // namespace ingot::bmc
