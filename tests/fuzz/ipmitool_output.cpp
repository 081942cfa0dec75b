// What ipmitool may print.
#include "bmc/ipmi/command.hpp"
#include "bmc/ipmi/fru.hpp"
#include "bmc/ipmi/fru_devices.hpp"
#include "bmc/ipmi/lan.hpp"
#include "bmc/ipmi/sensors.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace ingot;
  const std::string text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(bmc::ipmi::classify({.exitCode = 1, .standardError = text}));
  static_cast<void>(bmc::ipmi::parseChassisHealth(text));
  static_cast<void>(bmc::ipmi::parseSensors(text));
  static_cast<void>(bmc::ipmi::parseFru(text));
  static_cast<void>(bmc::ipmi::parseFruDevices(text));
  static_cast<void>(bmc::ipmi::parseMac(text));
  try {
    static_cast<void>(bmc::ipmi::parsePowerStatus(text));
  } catch (const bmc::Error&) {
  }
  try {
    static_cast<void>(bmc::ipmi::parseMcInfo(text));
  } catch (const bmc::Error&) {
  }
  return 0;
}
