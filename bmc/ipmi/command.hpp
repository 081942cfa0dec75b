// The ipmitool command line and what its answers mean (spec/bmc.md §15). Pure: text in, facts out.
#pragma once

#include "base/subprocess.hpp"
#include "bmc/capability/boot.hpp"
#include "bmc/capability/identity.hpp"
#include "bmc/capability/power.hpp"

#include <string>
#include <vector>

namespace ingot::bmc::ipmi {

// 3 = SHA-1, 17 = SHA-256. Always given: probing for it costs ten seconds.
enum class CipherSuite { sha1 = 3, sha256 = 17 };

// lanplus truncates nothing and refuses more (spec/bmc.md §15.1).
constexpr std::size_t longestPassword = 20;

struct Invocation {
  std::string host;
  std::uint16_t port = 623;
  std::string username;
  base::Secret password;
  std::string privilege = "ADMINISTRATOR";
  CipherSuite suite = CipherSuite::sha256;
  bool verbose = false;
  std::string home;  // of ipmitool (home.hpp); "": none
};

// It reads all records of the sensors, or of the log as well: minutes at some BMCs (spec/bmc.md §15.3), where any other
// command takes seconds.
[[nodiscard]] bool isLong(const std::vector<std::string>& command);
[[nodiscard]] base::Duration deadlineOf(const std::vector<std::string>& command);

// The password travels in the environment (IPMITOOL_PASSWORD), never in argv.
[[nodiscard]] base::ProcessSpec commandLine(const Invocation& to, std::vector<std::string> command,
                                            base::Duration deadline);

enum class Failure {
  none,
  ambiguousSession,  // "Unable to establish session": only a verbose second run tells why
  authentication,
  unreachable,
  cipherSuite,
  busy,
  privilege,   // the user is not granted what the session asks for
  notGranted,  // a session stands, and this command is not for its user
  unsupported,
  internal,  // our command line was wrong
  tooSlow,   // a long reading that did not end: it says nothing of whether the BMC answers
  other,
};

// Reads exit code, output and time-out of one run.
[[nodiscard]] Failure classify(const base::ProcessResult& result);

// Whether a command that ended so may have been carried out all the same: a session stood, and no answer of the BMC
// declines it (spec/bmc.md §15.3, §15.6).
[[nodiscard]] bool mayHaveActed(const base::ProcessResult& result);

// What ipmitool is told so that a boot setting outlasts the minute that a BMC grants it by itself, and the setting
// (spec/bmc.md §15.5). Error{unsupported} for what IPMI cannot name.
[[nodiscard]] std::vector<std::string> keepBootFlags();
[[nodiscard]] std::vector<std::string> bootFlags(const BootSetting& setting);

// Of "Key   : value" lines the value of the first with that key; "" where there is none.
[[nodiscard]] std::string_view valueOf(std::string_view output, std::string_view key);

[[nodiscard]] PowerReading parsePowerStatus(std::string_view output);  // Error{protocol} for anything unexpected
[[nodiscard]] Identity parseMcInfo(std::string_view output);
[[nodiscard]] Health parseChassisHealth(std::string_view output);  // the fault lines of `chassis status`

}  // namespace ingot::bmc::ipmi
