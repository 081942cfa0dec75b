#include "bmc/governor.hpp"

namespace ingot::bmc {

Governor::Governor(base::Runtime runtime, GovernorOptions options)
    : traffic_(std::make_shared<Traffic>(std::move(runtime), options)) {}

Governor::~Governor() = default;

base::Task<Governor::Turn> Governor::enter(Lane lane) {
  refuseEarly(lane);
  auto traffic = traffic_;
  co_await traffic->enter(lane);
  Turn turn(*this, std::move(traffic), lane);
  refuseEarly(lane);  // what was learnt while we waited
  co_return turn;
}

void Governor::refuseEarly(Lane lane) const {
  if (lockedOut() && lane != Lane::logout)
    throw Error(Error::Code::lockedOut,
                "the BMC refused these credentials; they are not tried again until they change");
  const bool mayProbe = lane == Lane::fencing || lane == Lane::operatorCommand;
  if (circuitOpen() && !mayProbe)
    throw Error(
        Error::Code::unreachable,
        fmt::format("the BMC did not answer {} times in a row; waiting before the next try", traffic_->failures()));
}

Governor::Turn::~Turn() {
  if (traffic_) traffic_->leave();
}

void Governor::Turn::succeeded() {
  traffic_->answered();
  if (lane_ != Lane::logout) governor_->refusals_ = 0;
}

void Governor::Turn::failed(Error::Code code) {
  switch (code) {
    case Error::Code::unreachable:
    case Error::Code::timeout:
    case Error::Code::outcomeUnknown: return traffic_->failed();
    case Error::Code::authenticationFailed: {
      const auto& options = traffic_->options();
      base::Duration wait = options.lockout;
      for (unsigned i = 0; i < governor_->refusals_ && wait < options.lockoutCap; ++i) wait *= 5;
      governor_->lockedUntil_ = traffic_->runtime().clock.now() + std::min(wait, options.lockoutCap);
      ++governor_->refusals_;
      return;
    }
    case Error::Code::notPermitted: return;  // says nothing of the BMC
    case Error::Code::lockedOut:
    case Error::Code::tls:
    case Error::Code::busy:
    case Error::Code::unsupported:
    case Error::Code::refused:
    case Error::Code::notReached:
    case Error::Code::ambiguousSystem:
    case Error::Code::protocol: return traffic_->answered();
  }
}

void Governor::credentialsChanged() {
  refusals_ = 0;
  lockedUntil_ = {};
  traffic_->answered();  // worth a try at once
}

bool Governor::lockedOut() const { return traffic_->runtime().clock.now() < lockedUntil_; }

}  // namespace ingot::bmc
