#include "bmc/redacting_driver.hpp"

#include "base/cut_text.hpp"
#include "base/redaction.hpp"

#include <algorithm>

namespace ingot::bmc {

namespace {

constexpr std::size_t longestError = 2048;

}  // namespace

Error RedactingDriver::clean(const Error& error) const {
  auto text = base::redacted(error.what(), password_);
  std::ranges::replace_if(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return {error.code(), base::cutText(text, longestError)};
}

base::Task<Identity> RedactingDriver::identify() {
  try {
    auto identity = co_await driver_->identify();
    for (std::string* text :
         {&identity.manufacturer, &identity.model, &identity.serialNumber, &identity.systemUuid, &identity.bmcFirmware})
      *text = base::redacted(std::move(*text), password_);
    co_return identity;
  } catch (const Error& error) {
    throw clean(error);
  }
}

base::Task<PowerReading> RedactingDriver::readPower() {
  try {
    auto reading = co_await driver_->readPower();
    reading.raw = base::redacted(std::move(reading.raw), password_);
    co_return reading;
  } catch (const Error& error) {
    throw clean(error);
  }
}

base::Task<Health> RedactingDriver::readHealth() {
  try {
    co_return co_await driver_->readHealth();
  } catch (const Error& error) {
    throw clean(error);
  }
}

base::Task<void> RedactingDriver::requestPower(PowerAction action, WritePermit permit) {
  try {
    co_await driver_->requestPower(action, std::move(permit));
  } catch (const Error& error) {
    throw clean(error);
  }
}

base::Task<void> RedactingDriver::close() { co_await driver_->close(); }

}  // namespace ingot::bmc
