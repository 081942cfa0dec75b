#include "bmc/redacting_driver.hpp"

#include "base/cut_text.hpp"
#include "base/redaction.hpp"

namespace ingot::bmc {

namespace {

constexpr std::size_t longestError = 2048, longestWord = 256;

}  // namespace

template <class T>
base::Task<T> RedactingDriver::redacting(base::Task<T> task) {
  try {
    co_return co_await std::move(task);
  } catch (const Error& error) {
    throw Error(error.code(), base::oneLine(redacted(error.what()), longestError));
  }
}

std::string RedactingDriver::redacted(std::string text) const { return base::redacted(std::move(text), password_); }

std::string RedactingDriver::word(std::string text) const {
  return base::oneLine(redacted(std::move(text)), longestWord);
}

base::Task<Identity> RedactingDriver::identify() {
  auto identity = co_await redacting(driver_->identify());
  for (std::string* text :
       {&identity.manufacturer, &identity.model, &identity.serialNumber, &identity.systemUuid, &identity.bmcFirmware})
    *text = word(std::move(*text));
  co_return identity;
}

base::Task<PowerReading> RedactingDriver::readPower() {
  auto reading = co_await redacting(driver_->readPower());
  reading.raw = word(std::move(reading.raw));
  co_return reading;
}

base::Task<Health> RedactingDriver::readHealth() { return redacting(driver_->readHealth()); }

base::Task<Inventory> RedactingDriver::readInventory(InTurn inTurn) {
  auto found = co_await redacting(driver_->readInventory(std::move(inTurn)));
  eachText(found, [this](std::string& text) { text = word(std::move(text)); });
  co_return found;
}

base::Task<void> RedactingDriver::requestPower(PowerAction action, WritePermit permit) {
  return redacting(driver_->requestPower(action, std::move(permit)));
}

base::Task<void> RedactingDriver::close() { return driver_->close(); }

}  // namespace ingot::bmc
