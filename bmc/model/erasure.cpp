#include "bmc/model/erasure.hpp"

#include "base/text.hpp"
#include "bmc/model/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ingot::bmc {

namespace {

constexpr WordTable<EraseMethod, 4> eraseMethods{{{EraseMethod::cryptographic, "CryptographicErase"},
                                                  {EraseMethod::block, "BlockErase"},
                                                  {EraseMethod::overwrite, "Overwrite"},
                                                  {EraseMethod::unnamed, "unnamed"}}};

constexpr WordTable<EraseDepth, 3> eraseDepths{
    {{EraseDepth::crypto, "crypto"}, {EraseDepth::full, "full"}, {EraseDepth::keep, "keep"}}};

constexpr WordTable<ErasureState, 5> erasureStates{{{ErasureState::waiting, "waiting"},
                                                    {ErasureState::running, "running"},
                                                    {ErasureState::erased, "erased"},
                                                    {ErasureState::failed, "failed"},
                                                    {ErasureState::kept, "kept"}}};

// Best first (spec/bmc.md §12.4).
constexpr std::array preferred{EraseMethod::cryptographic, EraseMethod::block, EraseMethod::overwrite,
                               EraseMethod::unnamed};

std::string named(const ErasableDrive& drive) {
  return drive.serialNumber.empty() ? fmt::format("the drive {} ({})", drive.name, drive.model)
                                    : "the drive " + drive.serialNumber;
}

std::optional<EraseMethod> methodFor(EraseDepth depth, const std::vector<EraseMethod>& offered) {
  for (const auto method : preferred)
    if (std::ranges::find(offered, method) != offered.end() &&
        (depth == EraseDepth::full || method == EraseMethod::cryptographic))
      return method;
  return std::nullopt;
}

std::optional<EraseDepth> depthNamed(const EraseOrder& order, std::string_view serial) {
  for (const auto& [each, depth] : order.depths)
    if (sameSerial(each, serial)) return depth;
  return std::nullopt;
}

bool isKnown(const EraseOrder& order, std::string_view serial) {
  return std::ranges::any_of(order.known, [&](const auto& each) { return sameSerial(each, serial); });
}

// Why the drive may not be erased; "": it may.
std::string problemOf(const EraseOrder& order, const ErasableDrive& drive, std::optional<EraseMethod> method) {
  const bool isNamed = depthNamed(order, drive.serialNumber).has_value();
  if (!isKnown(order, drive.serialNumber) && !isNamed)
    return fmt::format("{} is none of those that inspection found: is it this host's? Then name it, as in {}=full",
                       named(drive), drive.serialNumber);
  if (!drive.unfit.empty()) return fmt::format("{}: {}", named(drive), drive.unfit);
  if (drive.methods.empty())
    return fmt::format("{} cannot be erased through the BMC, which offers nothing for it", named(drive));
  if (!method)
    return fmt::format("{} knows no cryptographic erase; {}=full has it erased otherwise, which may take hours",
                       named(drive), drive.serialNumber);
  return {};
}

}  // namespace

std::string_view toText(EraseMethod method) { return textOf(eraseMethods, method); }
std::string_view toText(EraseDepth depth) { return textOf(eraseDepths, depth); }
std::optional<EraseMethod> parseEraseMethod(std::string_view text) { return wordOf(eraseMethods, text); }
std::optional<EraseDepth> parseEraseDepth(std::string_view text) { return wordOf(eraseDepths, text); }
std::string_view toText(ErasureState state) { return textOf(erasureStates, state); }
ErasureState parseErasureState(std::string_view text) {
  return wordOf(erasureStates, text).value_or(ErasureState::waiting);
}

bool sameSerial(std::string_view a, std::string_view b) {
  return base::equalButForCase(base::trimmed(a), base::trimmed(b));
}

EraseDepth depthOf(const EraseOrder& order, std::string_view serial) {
  return depthNamed(order, serial).value_or(order.depth);
}

ErasePlan planErasure(const EraseOrder& order, const std::vector<ErasableDrive>& shown) {
  ErasePlan plan;
  for (const auto& drive : shown) {
    if (base::trimmed(drive.serialNumber).empty()) {
      plan.problems.push_back(named(drive) + " has no serial number, so that nobody can say which drive it is");
      continue;
    }
    const auto same = [&](const ErasableDrive& other) { return sameSerial(other.serialNumber, drive.serialNumber); };
    if (std::ranges::count_if(shown, same) > 1) {
      plan.problems.push_back(named(drive) + " is shown twice, so that nobody can say which drive it is");
      continue;
    }
    const auto depth = depthOf(order, drive.serialNumber);
    if (depth == EraseDepth::keep) {
      plan.keep.push_back(drive);
      continue;
    }
    const auto method = methodFor(depth, drive.methods);
    if (auto problem = problemOf(order, drive, method); !problem.empty())
      plan.problems.push_back(std::move(problem));
    else
      plan.erase.push_back({drive, *method});
  }
  const auto isShown = [&](const std::string& serial) {
    return std::ranges::any_of(shown, [&](const auto& drive) { return sameSerial(drive.serialNumber, serial); });
  };
  for (const auto& serial : order.known)
    if (!isShown(serial))
      (depthNamed(order, serial) == EraseDepth::keep ? plan.keepUnseen : plan.missing).push_back(serial);
  // A mistyped name would have a disk erased that was to be kept.
  for (const auto& [serial, depth] : order.depths)
    if (!isShown(serial) && !isKnown(order, serial))
      plan.problems.push_back(fmt::format("{}={} names no drive of this host", serial, toText(depth)));
  return plan;
}

}  // namespace ingot::bmc
