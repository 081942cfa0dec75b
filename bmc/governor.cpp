#include "bmc/governor.hpp"

namespace ingot::bmc {

Governor::Governor(base::Runtime runtime, GovernorOptions options)
    : Governor(std::make_shared<Traffic>(runtime, options, "bmc", std::make_shared<RefusedLogins>(runtime))) {}

Governor::Governor(std::shared_ptr<Traffic> traffic) { moveTo(std::move(traffic)); }

Governor::~Governor() = default;

void Governor::useLogin(std::string username, base::Secret password) {
  username_ = std::move(username);
  password_ = std::move(password);
  login_ = traffic_->logins().keyOf(traffic_->bmc(), username_, password_);
}

void Governor::beginAfresh() {
  traffic_->answered();
  errors_ = 0;
  slowUntil_ = {};
}

void Governor::moveTo(std::shared_ptr<Traffic> traffic) {
  traffic_ = std::move(traffic);
  useLogin(std::move(username_), std::move(password_));
}

base::Task<Governor::Turn> Governor::enter(Lane lane) {
  refuseEarly(lane);
  auto traffic = traffic_;
  auto login = login_;  // what the request logs in as, whatever is granted while it waits
  co_await traffic->enter(lane);
  Turn turn(*this, std::move(traffic), std::move(login), lane);
  refuseEarly(lane);  // what was learnt while we waited
  if (lockedOut() && lane == Lane::fencing && !traffic_->logins().mayTryUrgently(login_)) refuseLogin();
  co_return turn;
}

void Governor::refuseLogin() const {
  throw Error(Error::Code::lockedOut,
              "the BMC refused the user name or password; they are not tried again until they change");
}

void Governor::refuseEarly(Lane lane) const {
  if (lockedOut() && lane != Lane::logout && lane != Lane::fencing) refuseLogin();
  if (isUrgent(lane)) return;
  if (circuitOpen())
    throw Error(
        Error::Code::unreachable,
        fmt::format("the BMC did not answer {} times in a row; waiting before the next try", traffic_->failures()));
  if (isSlowed() && lane == Lane::polling)
    throw Error(Error::Code::busy,
                fmt::format("the BMC answered with an error {} times in a row; waiting before the next try", errors_));
}

Governor::Turn::~Turn() {
  if (traffic_) traffic_->leave();
}

void Governor::Turn::succeeded() {
  traffic_->answered();
  if (lane_ == Lane::logout) return;
  if (lane_ == Lane::fencing) traffic_->logins().accepted(login_);
  governor_->errors_ = 0;
  governor_->slowUntil_ = {};
}

void Governor::Turn::failed(Error::Code code) {
  switch (code) {
    case Error::Code::unreachable:
    case Error::Code::timeout:
    case Error::Code::outcomeUnknown: return traffic_->failed();
    case Error::Code::authenticationFailed: return traffic_->logins().refused(login_);
    case Error::Code::notPermitted: return;  // says nothing of the BMC
    case Error::Code::lockedOut:
    case Error::Code::tls:
    case Error::Code::busy:
    case Error::Code::unsupported:
    case Error::Code::refused:
    case Error::Code::notReached:
    case Error::Code::ambiguousSystem:
    case Error::Code::protocol: traffic_->answered(); return governor_->noteError(lane_);
  }
}

// What is asked for once, and refused, says nothing of the readings.
void Governor::noteError(Lane lane) {
  if (lane != Lane::polling) return;
  const auto& options = traffic_->options();
  if (++errors_ < options.errorsToSlow) return;
  const auto& runtime = traffic_->runtime();
  slowUntil_ = runtime.clock.now() + options.slowing.delay(errors_ - options.errorsToSlow, runtime.random);
}

bool Governor::isSlowed() const { return traffic_->runtime().clock.now() < slowUntil_; }

bool Governor::lockedOut() const { return traffic_->logins().holds(login_); }

}  // namespace ingot::bmc
