#include "bmc/governor.hpp"

namespace ingot::bmc {

namespace {

[[noreturn]] void refuseLogin() {
  throw Error(Error::Code::lockedOut,
              "the BMC refused the user name or password; they are not tried again until they change",
              Error::Origin::governor);
}

}  // namespace

Governor::Governor(std::shared_ptr<Traffic> traffic, const std::string& account, const base::Secret& password)
    : traffic_(std::move(traffic)), login_(traffic_->logins().keyOf(traffic_->bmc(), account, password)) {}

base::Task<Governor::Turn> Governor::enter(Lane lane, Credentials credentials) {
  refuseEarly(lane, credentials);
  auto place = co_await traffic_->enter(lane);
  Turn turn(traffic_, lane, std::move(place));
  refuseEarly(lane, credentials);  // what was learnt while we waited
  const bool shows = credentials == Credentials::password && lockedOut();
  if (shows && !traffic_->logins().mayTryUrgently(login_)) refuseLogin();
  co_return turn;
}

void Governor::refuseEarly(Lane lane, Credentials credentials) const {
  if (credentials == Credentials::password && lockedOut() && lane != Lane::fencing) refuseLogin();
  if (circuitOpen() && !isUrgent(lane))
    throw Error(
        Error::Code::unreachable,
        fmt::format("the BMC did not answer {} times in a row; waiting before the next try", traffic_->failures()),
        Error::Origin::governor);
}

Governor::Turn::~Turn() {
  if (traffic_) traffic_->leave(lane_);
}

void Governor::Turn::failed(Error::Code code) {
  switch (code) {
    case Error::Code::unreachable:
    case Error::Code::timeout:
    case Error::Code::outcomeUnknown: return traffic_->failed();
    case Error::Code::notPermitted: return;  // nothing was sent
    case Error::Code::authenticationFailed:
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

}  // namespace ingot::bmc
