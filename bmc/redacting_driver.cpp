#include "bmc/redacting_driver.hpp"

#include "base/cut_text.hpp"
#include "base/redaction.hpp"
#include "bmc/sensor_list.hpp"

namespace ingot::bmc {

namespace {

constexpr std::size_t longestError = 2048, longestWord = 256, longestLabel = 64;
constexpr std::size_t longestImage = 4096;
constexpr std::size_t mostLogs = 8, mostNotes = 8;

}  // namespace

template <class T>
base::Task<T> RedactingDriver::redacting(base::Task<T> task) {
  try {
    co_return co_await std::move(task);
  } catch (const Error& error) {
    throw Error(error.code(), base::oneLine(redacted(error.what()), longestError), error.origin());
  }
}

std::string RedactingDriver::redacted(std::string text) const { return base::redacted(std::move(text), password_); }

std::string RedactingDriver::word(std::string text) const {
  return base::oneLine(redacted(std::move(text)), longestWord);
}

base::Task<Identity> RedactingDriver::identify(Lane lane) {
  auto identity = co_await redacting(driver_->identify(lane));
  for (std::string* text :
       {&identity.manufacturer, &identity.model, &identity.serialNumber, &identity.systemUuid, &identity.bmcFirmware})
    *text = word(std::move(*text));
  co_return identity;
}

base::Task<PowerReading> RedactingDriver::readPower(Lane lane) {
  auto reading = co_await redacting(driver_->readPower(lane));
  for (std::string* text : {&reading.raw, &reading.bootProgress}) *text = word(std::move(*text));
  co_return reading;
}

base::Task<HealthReading> RedactingDriver::readHealth(Lane lane) { return redacting(driver_->readHealth(lane)); }

base::Task<Inventory> RedactingDriver::readInventory(Lane lane) {
  auto found = co_await redacting(driver_->readInventory(lane));
  eachText(found, [this](std::string& text) { text = word(std::move(text)); });
  co_return found;
}

base::Task<SensorReading> RedactingDriver::readSensors(Lane lane) {
  auto found = co_await redacting(driver_->readSensors(lane));
  eachText(found.sensors, [this](std::string& text) { text = word(std::move(text)); });
  SensorList once;  // again: names that were cut may have become the same
  for (auto& sensor : found.sensors.readings) {
    for (auto* label : {&sensor.name, &sensor.context}) *label = base::cutText(*label, longestLabel);
    once.add(std::move(sensor));
  }
  for (auto& part : found.sensors.parts) {
    part.name = base::cutText(part.name, longestLabel);
    once.addPart(std::move(part));
  }
  auto unique = once.take();
  found.sensors.readings = std::move(unique.readings);
  found.sensors.parts = std::move(unique.parts);
  co_return found;
}

base::Task<LogReading> RedactingDriver::readLogs(Lane lane, LogMarks marks) {
  auto found = co_await redacting(driver_->readLogs(lane, std::move(marks)));
  if (found.tails.size() > mostLogs) found.tails.resize(mostLogs);
  if (found.unread.size() > mostNotes) found.unread.resize(mostNotes);
  for (auto& tail : found.tails) eachText(tail, [this](std::string& text) { text = word(std::move(text)); });
  for (auto& why : found.unread) why = word(std::move(why));
  co_return found;
}

base::Task<base::Duration> RedactingDriver::followEvents(Lane lane, OnEvent onEvent) {
  return redacting(driver_->followEvents(lane, std::move(onEvent)));
}

base::Task<void> RedactingDriver::checkOffers(Lane lane, PowerAction action) {
  return redacting(driver_->checkOffers(lane, action));
}

base::Task<void> RedactingDriver::requestPower(Lane lane, PowerAction action, WritePermit permit) {
  return redacting(driver_->requestPower(lane, action, std::move(permit)));
}

base::Task<BootLasts> RedactingDriver::setBoot(Lane lane, BootSetting setting, WritePermit permit) {
  return redacting(driver_->setBoot(lane, setting, std::move(permit)));
}

base::Task<void> RedactingDriver::insertMedia(Lane lane, std::string image, WritePermit permit) {
  return redacting(driver_->insertMedia(lane, std::move(image), std::move(permit)));
}

base::Task<void> RedactingDriver::ejectMedia(Lane lane, WritePermit permit) {
  return redacting(driver_->ejectMedia(lane, std::move(permit)));
}

base::Task<std::string> RedactingDriver::insertedMedia(Lane lane) {
  auto image = co_await redacting(driver_->insertedMedia(lane));
  co_return image.size() > longestImage ? std::string() : image;  // compared, never shown
}

ErasableDrive RedactingDriver::shown(ErasableDrive drive) const {
  for (auto* text :
       {&drive.name, &drive.vendor, &drive.model, &drive.serialNumber, &drive.kind, &drive.unfit, &drive.trouble})
    *text = word(std::move(*text));
  return drive;
}

base::Task<std::vector<ErasableDrive>> RedactingDriver::readDrives(Lane lane) {
  auto found = co_await redacting(driver_->readDrives(lane));
  for (auto& drive : found) drive = shown(std::move(drive));
  co_return found;
}

base::Task<std::optional<ErasableDrive>> RedactingDriver::readDrive(Lane lane, std::string path) {
  auto found = co_await redacting(driver_->readDrive(lane, std::move(path)));
  if (found) found = shown(std::move(*found));
  co_return found;
}

base::Task<std::string> RedactingDriver::eraseDrive(Lane lane, ErasableDrive drive, EraseMethod method,
                                                    WritePermit permit) {
  return redacting(driver_->eraseDrive(lane, std::move(drive), method, std::move(permit)));
}

base::Task<ErasureProgress> RedactingDriver::lookAtErasure(Lane lane, std::string task) {
  auto seen = co_await redacting(driver_->lookAtErasure(lane, std::move(task)));
  seen.error = word(std::move(seen.error));
  co_return seen;
}

base::Task<std::string> RedactingDriver::cleanUp(Lane lane, CleaningStep step, WritePermit permit) {
  co_return base::oneLine(redacted(co_await redacting(driver_->cleanUp(lane, step, std::move(permit)))), longestError);
}

base::Task<void> RedactingDriver::close() { return driver_->close(); }

}  // namespace ingot::bmc
