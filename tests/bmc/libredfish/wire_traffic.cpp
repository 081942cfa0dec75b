#include "tests/bmc/libredfish/wire_traffic.hpp"

#include <boost/asio/post.hpp>

#include <thread>

namespace ingot::tests {

std::string WireTraffic::begin() {
  auto number = std::to_string(++last_);
  exchanges_[number] = std::make_shared<Exchange>();
  keepBusy();
  return number;
}

std::shared_ptr<WireTraffic::Exchange> WireTraffic::find(const std::string& number) const {
  const auto found = exchanges_.find(number);
  return found == exchanges_.end() ? nullptr : found->second;
}

void WireTraffic::setHandled(Exchange& exchange, bool isHandled) {
  exchange.isHandled = isHandled;
  keepBusy();
}

void WireTraffic::end(const std::string& number) {
  const auto exchange = find(number);
  exchanges_.erase(number);
  if (exchange->isHandled) exchange->givenUp.abort();
}

// One that waits for another of its client, which a handler has, is not.
bool WireTraffic::isUnderWay() const {
  return !exchanges_.empty() &&
         std::ranges::none_of(exchanges_, [](const auto& entry) { return entry.second->isHandled; });
}

// A loop that is polled goes on while this posts itself.
void WireTraffic::keepBusy() {
  if (isBusy_ || !isUnderWay()) return;
  isBusy_ = true;
  boost::asio::post(executor_, [self = shared_from_this()] {
    self->isBusy_ = false;
    std::this_thread::sleep_for(std::chrono::microseconds(20));
    self->keepBusy();
  });
}

}  // namespace ingot::tests
