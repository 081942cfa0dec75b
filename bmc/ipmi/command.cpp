#include "bmc/ipmi/command.hpp"

#include "base/cut_text.hpp"
#include "base/text.hpp"
#include "bmc/vendor.hpp"

namespace ingot::bmc::ipmi {

namespace {

struct Phrase {
  std::string_view text;
  Failure meaning;
};

// First match wins; spec/bmc.md §15.6. A verbose run prints the reason before the general sentence.
constexpr Phrase phrases[] = {
    {"RAKP 2 HMAC is invalid", Failure::authentication},
    {"unauthorized name", Failure::authentication},
    {"unauthorized role requested", Failure::privilege},
    {"message : invalid role", Failure::privilege},
    {"Activate Session command failed", Failure::authentication},
    {"Unsupported cipher suite ID", Failure::cipherSuite},
    {"no matching cipher suite", Failure::cipherSuite},
    {"invalid authentication algorithm", Failure::cipherSuite},
    {"invalid integrity algorithm", Failure::cipherSuite},
    {"insufficient resources for session", Failure::busy},
    {"Node busy", Failure::busy},
    {"Out of space", Failure::busy},
    {"BMC initialization in progress", Failure::busy},
    {"Get Auth Capabilities error", Failure::unreachable},
    {"Error issuing Get Channel Authentication Capabilities request", Failure::unreachable},
    {"Unable to Get Channel Cipher Suites", Failure::unreachable},
    {"Address lookup for", Failure::unreachable},
    {"Could not open socket", Failure::unreachable},
    {"Insufficient privilege level", Failure::privilege},
    {"Set Session Privilege Level to", Failure::privilege},
    {"Invalid command", Failure::unsupported},
    {"Invalid data field in request", Failure::unsupported},
    {"Parameter out of range", Failure::unsupported},
    {"Command not supported in present state", Failure::unsupported},
    {"Invalid chassis power command", Failure::internal},
    {"Invalid argument", Failure::internal},
    {"Unable to establish IPMI v2 / RMCP+ session", Failure::ambiguousSession},
    {"Unable to establish LAN session", Failure::ambiguousSession},
    {"Timeout", Failure::busy},
};

// "Key   : value" lines; the value of the first line with that key.
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

}  // namespace

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
               "1",
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
    case Failure::unsupported:
    case Failure::internal: break;
  }
  return false;
}

PowerReading parsePowerStatus(std::string_view output) {
  const auto line = base::trimmed(output);
  if (line == "Chassis Power is on") return {Power::on, std::string(line)};
  if (line == "Chassis Power is off") return {Power::off, std::string(line)};
  throw Error(Error::Code::protocol, fmt::format("ipmitool power status answered '{}'", base::cutText(line, 80)));
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
