#include "bmc/ipmi/command.hpp"

#include "base/text.hpp"
#include "bmc/vendor.hpp"

namespace ingot::bmc::ipmi {

namespace {

struct Phrase {
  std::string_view text;
  Failure meaning;
};

// First match wins; spec/bmc.md §15.6. A verbose run prints the reason before the general sentence. What says that no
// answer came stands before what such a run may say of rights.
constexpr Phrase phrases[] = {
    {"no response from RAKP 1 message", Failure::unreachable},
    {"no response from RAKP 3 message", Failure::unreachable},
    {"RAKP 2 HMAC is invalid", Failure::authentication},
    {"RAKP 4 message has invalid integrity check value", Failure::authentication},
    {"invalid integrity check value", Failure::authentication},
    {"unauthorized name", Failure::authentication},
    {"invalid name length", Failure::authentication},
    {"unauthorized role requested", Failure::privilege},
    {"Activate Session command failed", Failure::authentication},
    // No password is shown before the suite is agreed on. Some say "role" of a suite that the role may not use.
    {"message : invalid role", Failure::cipherSuite},
    {"Unsupported cipher suite ID", Failure::cipherSuite},
    {"no matching cipher suite", Failure::cipherSuite},
    {"no matching authentication algorithm", Failure::cipherSuite},
    {"no matching integrity payload", Failure::cipherSuite},
    {"invalid authentication algorithm", Failure::cipherSuite},
    {"invalid integrity algorithm", Failure::cipherSuite},
    {"invalid confidentiality algorithm", Failure::cipherSuite},
    {"not what we requested", Failure::cipherSuite},
    {"illegal parameter", Failure::cipherSuite},
    {"This BMC does not support IPMI v2", Failure::unsupported},
    {"insufficient resources for session", Failure::busy},
    {"insufficient resources for role", Failure::busy},
    {"inactive session ID", Failure::busy},
    {"invalid session ID", Failure::busy},
    {"in update mode", Failure::busy},
    {"Destination unavailable", Failure::busy},
    {"Node busy", Failure::busy},
    {"Out of space", Failure::busy},
    {"BMC initialization in progress", Failure::busy},
    {"Get Auth Capabilities error", Failure::unreachable},
    {"Error issuing Get Channel Authentication Capabilities request", Failure::unreachable},
    {"Unable to Get Channel Cipher Suites", Failure::unreachable},
    {"Address lookup for", Failure::unreachable},
    {"Could not open socket", Failure::unreachable},
    {"Set Session Privilege Level to", Failure::privilege},
    {"Insufficient privilege level", Failure::notGranted},
    {"command disabled", Failure::unsupported},
    {"Invalid command", Failure::unsupported},
    {"Invalid data field in request", Failure::unsupported},
    {"Parameter out of range", Failure::unsupported},
    {"Command not supported in present state", Failure::unsupported},
    {"Invalid chassis power command", Failure::internal},
    {"Invalid argument", Failure::internal},
    {"Unable to establish IPMI v2 / RMCP+ session", Failure::ambiguousSession},
    {"Unable to establish LAN session", Failure::ambiguousSession},
    {"Timeout", Failure::busy},
    // Without a completion code behind it: no answer came.
    {"Unable to get Chassis Power Status", Failure::unreachable},
    {"Error sending Chassis Status command", Failure::unreachable},
};

// Byte 2 of the boot flags: the device in bits 5 to 2.
std::string_view deviceByte(BootDevice device) {
  switch (device) {
    case BootDevice::none: return "0x00";
    case BootDevice::pxe: return "0x04";
    case BootDevice::disk: return "0x08";
    case BootDevice::cdrom: return "0x14";
    case BootDevice::bios: return "0x18";
    case BootDevice::uefiHttp: break;
  }
  return "";
}

// "Set Session Privilege Level to ADMINISTRATOR failed" tells by what follows whether the BMC declined (": …") or did
// not answer.
bool isUnansweredLevel(std::string_view said) {
  const auto at = said.find("Set Session Privilege Level to ");
  if (at == std::string_view::npos) return false;
  return base::trimmed(said.substr(at, said.find('\n', at) - at)).ends_with(" failed");
}

}  // namespace

bool isLong(const std::vector<std::string>& command) { return std::ranges::find(command, "elist") != command.end(); }

base::Duration deadlineOf(const std::vector<std::string>& command) {
  return isLong(command) ? std::chrono::seconds(300) : std::chrono::seconds(30);
}

base::ProcessSpec commandLine(const Invocation& to, std::vector<std::string> command, base::Duration deadline) {
  if (to.password.reveal().size() > longestPassword)
    throw Error(Error::Code::authenticationFailed,
                fmt::format("the IPMI password is longer than {} bytes, which IPMI 2.0 cannot carry", longestPassword));
  base::ProcessSpec spec;
  spec.argv = {"ipmitool",
               "-I",
               "lanplus",
               "-H",
               to.host,
               "-p",
               std::to_string(to.port),
               "-L",
               to.privilege,
               "-C",
               std::to_string(static_cast<int>(to.suite)),
               "-R",
               isLong(command) ? "2" : "1",
               "-N",
               "5"};
  if (!to.username.empty()) spec.argv.insert(spec.argv.end(), {"-U", to.username});
  spec.argv.emplace_back("-E");
  if (to.verbose) spec.argv.emplace_back("-v");
  spec.argv.insert(spec.argv.end(), command.begin(), command.end());
  spec.environment = {{"TZ", "UTC"}};
  // The names of manufacturers are of use to no other command, and take three times as long to load as it takes.
  if (!to.home.empty() && command.front() != "mc") spec.environment["HOME"] = to.home;
  spec.secretEnvironment = {{"IPMITOOL_PASSWORD", to.password}};
  spec.deadline = deadline;
  spec.outputLimit = 64 << 10;
  return spec;
}

Failure classify(const base::ProcessResult& result) {
  if (result.timedOut) return Failure::unreachable;
  if (result.exitCode == 0) return Failure::none;
  if (isUnansweredLevel(result.standardError)) return Failure::unreachable;
  for (const auto& [text, meaning] : phrases)
    if (result.standardError.find(text) != std::string::npos || result.standardOutput.find(text) != std::string::npos)
      return meaning;
  return Failure::other;
}

bool mayHaveActed(const base::ProcessResult& result) {
  if (result.timedOut) return true;
  const bool timedOutAtBmc = result.standardError.find("Timeout") != std::string::npos;  // completion code c3
  switch (classify(result)) {
    case Failure::none:
    case Failure::other: return true;  // "Unable to set Chassis Power Control to …": the answer was lost
    case Failure::busy: return timedOutAtBmc;
    case Failure::ambiguousSession:
    case Failure::authentication:
    case Failure::unreachable:
    case Failure::cipherSuite:
    case Failure::privilege:
    case Failure::notGranted:
    case Failure::unsupported:
    case Failure::tooSlow:
    case Failure::internal: break;
  }
  return false;
}

std::vector<std::string> keepBootFlags() { return {"raw", "0x00", "0x08", "0x03", "0x08"}; }

std::vector<std::string> bootFlags(const BootSetting& setting) {
  const auto device = deviceByte(setting.device);
  if (device.empty())
    throw Error(Error::Code::unsupported, fmt::format("IPMI cannot boot from {}", toText(setting.device)));
  const unsigned valid = setting.device == BootDevice::none ? 0 : 0x80;
  const unsigned persistent = setting.persistent ? 0x40 : 0;
  const unsigned uefi = setting.mode == BootMode::legacy ? 0 : 0x20;
  return {"raw",  "0x00", "0x08", "0x05", fmt::format("{:#04x}", valid | persistent | uefi), std::string(device),
          "0x00", "0x00", "0x00"};
}

std::string_view valueOf(std::string_view output, std::string_view key) {
  for (std::size_t start = 0; start < output.size();) {
    const auto end = std::min(output.find('\n', start), output.size());
    const auto line = output.substr(start, end - start);
    const auto colon = line.find(':');
    if (colon != std::string_view::npos && base::trimmed(line.substr(0, colon)) == key)
      return base::trimmed(line.substr(colon + 1));
    start = end + 1;
  }
  return {};
}

PowerReading parsePowerStatus(std::string_view output) {
  const auto line = base::trimmed(output);
  if (line == "Chassis Power is on") return {Power::on, std::string(line)};
  if (line == "Chassis Power is off") return {Power::off, std::string(line)};
  // It is cut once the password is out of it (redacted_capabilities.hpp).
  throw Error(Error::Code::protocol,
              fmt::format("ipmitool power status answered '{}'", line.substr(0, line.find('\n'))));
}

Identity parseMcInfo(std::string_view output) {
  if (valueOf(output, "Device ID").empty())
    throw Error(Error::Code::protocol, "ipmitool mc info answered without a Device ID");
  Identity identity;
  identity.manufacturer = valueOf(output, "Manufacturer Name");
  identity.vendor = normalizeVendor(identity.manufacturer);
  identity.bmcFirmware = valueOf(output, "Firmware Revision");
  return identity;
}

Health parseChassisHealth(std::string_view output) {
  if (valueOf(output, "System Power").empty()) return Health::unknown;
  for (const auto fault :
       {"Power Overload", "Main Power Fault", "Power Control Fault", "Drive Fault", "Cooling/Fan Fault"})
    if (valueOf(output, fault) == "true") return Health::critical;
  return Health::ok;
}

}  // namespace ingot::bmc::ipmi
