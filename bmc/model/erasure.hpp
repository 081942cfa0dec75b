// The drives of a host and how they are erased through its BMC (spec/bmc.md §12.4, §18; docs/decisions/0022). Agents
// do it, the coordinator asks for it and certifies it.
#pragma once

#include "base/clock.hpp"
#include "bmc/model/cleaning_step.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::bmc {

// Redfish's SanitizationType. `unnamed`: the BMC erases drives and does not say how.
enum class EraseMethod { cryptographic, block, overwrite, unnamed };

// What is asked for a drive. `crypto`: its key is destroyed, which takes seconds; `full`: whatever the drive does best,
// down to overwriting it; `keep`: nothing.
enum class EraseDepth { crypto, full, keep };

[[nodiscard]] std::string_view toText(
    EraseMethod method);                                  // "CryptographicErase", "BlockErase", "Overwrite", "unnamed"
[[nodiscard]] std::string_view toText(EraseDepth depth);  // "crypto", "full", "keep"
[[nodiscard]] std::optional<EraseMethod> parseEraseMethod(std::string_view text);
[[nodiscard]] std::optional<EraseDepth> parseEraseDepth(std::string_view text);

// A drive as the BMC shows it now.
struct ErasableDrive {
  std::string path;         // of its resource
  std::string eraseTarget;  // where an erasure is asked for; "": nowhere
  std::string controller;   // path of what it hangs on
  std::string name, vendor, model, serialNumber, kind;
  std::int64_t bytes = 0;
  std::vector<EraseMethod> methods;  // that the BMC offers for it; none: it cannot be erased
  std::string unfit;                 // why it must not be erased: "it belongs to volume …"; "": it may
  bool busy = false;                 // an operation on it is under way
  std::string trouble;               // why it cannot be relied on: "Health is Critical"; "": nothing is known
};

enum class ErasureState {
  waiting,
  running,  // the BMC has been asked, or may have been
  erased,
  failed,
  kept,
};
[[nodiscard]] std::string_view toText(ErasureState state);            // "waiting", "running", …
[[nodiscard]] ErasureState parseErasureState(std::string_view text);  // what is no state: waiting

// What became of one drive.
struct DriveErasure {
  std::string path, name, vendor, model, serialNumber, kind;
  std::int64_t bytes = 0;
  std::string method;         // toText(EraseMethod); "" of one that is kept
  std::string state;          // toText(ErasureState)
  std::int64_t percent = -1;  // -1: not told
  std::string task;           // where to ask how it goes; "": the BMC named none
  bool verified = false;      // by what the BMC shows of the drive afterwards
  std::string verification;   // what was seen, for people
  std::string error;
  std::int64_t asked = 0;  // requests that were sent for it
  std::optional<base::WallTime> startedAt, endedAt;

  static void describe(auto& v) {
    v.field("path", &DriveErasure::path);
    v.field("name", &DriveErasure::name);
    v.field("vendor", &DriveErasure::vendor);
    v.field("model", &DriveErasure::model);
    v.field("serialNumber", &DriveErasure::serialNumber);
    v.field("kind", &DriveErasure::kind);
    v.field("bytes", &DriveErasure::bytes);
    v.field("method", &DriveErasure::method);
    v.field("state", &DriveErasure::state);
    v.field("percent", &DriveErasure::percent);
    v.field("task", &DriveErasure::task);
    v.field("verified", &DriveErasure::verified);
    v.field("verification", &DriveErasure::verification);
    v.field("error", &DriveErasure::error);
    v.field("asked", &DriveErasure::asked);
    v.field("startedAt", &DriveErasure::startedAt);
    v.field("endedAt", &DriveErasure::endedAt);
  }
  friend bool operator==(const DriveErasure&, const DriveErasure&) = default;
};

constexpr std::size_t mostErasedDrives = 256;  // of one host

// What is to be erased.
struct EraseOrder {
  std::string machineSerial;  // as inspection found it; "" where the BMC told none
  EraseDepth depth = EraseDepth::crypto;
  std::map<std::string, EraseDepth> depths;  // by serial number, in place of `depth`
  std::vector<std::string> known;            // serial numbers of the drives that inspection found
  std::vector<CleaningStep> steps = {};      // when all is erased

  friend bool operator==(const EraseOrder&, const EraseOrder&) = default;
};

[[nodiscard]] EraseDepth depthOf(const EraseOrder& order, std::string_view serial);

// Serial numbers are the same but for case and the blanks around them.
[[nodiscard]] bool sameSerial(std::string_view a, std::string_view b);

// What follows from an order and what the BMC shows. Nothing may be erased unless `problems` and `missing` are empty.
struct ErasePlan {
  struct Step {
    ErasableDrive drive;
    EraseMethod method = EraseMethod::unnamed;
  };
  std::vector<Step> erase;
  std::vector<ErasableDrive> keep;
  std::vector<std::string> keepUnseen;  // serial numbers of known ones that are not shown
  std::vector<std::string> missing;     // known, and not shown (yet)
  std::vector<std::string> problems;    // for people; each names its drive
};
[[nodiscard]] ErasePlan planErasure(const EraseOrder& order, const std::vector<ErasableDrive>& shown);

}  // namespace ingot::bmc
