#include "cli/show/shadow.hpp"

#include "base/cut_text.hpp"
#include "cli/show/documents.hpp"
#include "cli/words/duration.hpp"

#include <fmt/ranges.h>

#include <map>

namespace ingot::cli {
namespace {

constexpr std::size_t widest = 48;  // of a value, which may be a whole image

std::string ageAt(const json::Value& of, std::string_view member, base::WallTime now) {
  return ageText(base::parseTime(json::textAt(of, {member})), now);
}

std::string valueAt(const json::Value& field, std::string_view member) {
  const std::string value = json::textAt(field, {member});
  return value.size() > widest ? base::cutText(value, widest) + "..." : value;
}

// "Metal3Machine metal/m"
std::string objectIn(const json::Value& difference) {
  const auto text = [&](std::string_view member) { return json::textAt(difference, {"object", member}); };
  const std::string kind = text("kind").empty() ? text("resource") : text("kind");
  const std::string space = text("namespace");
  return fmt::format("{} {}{}{}", kind, space, space.empty() ? "" : "/", text("name"));
}

}  // namespace

TextTable shadowTable(const json::Value& report, base::WallTime now) {
  TextTable table({"AGE", "OUTCOME", "CONTROLLER", "OBJECT", "FIELD", "THEIRS", "OURS", "WHY"});
  for (const auto& difference : arrayOf(report, "differences")) {
    for (const auto& field : arrayOf(difference, "fields")) {
      const std::string path = json::textAt(field, {"path"});
      table.add({ageAt(difference, "time", now), json::textAt(difference, {"outcome"}),
                 json::textAt(difference, {"controller"}), objectIn(difference), path.empty() ? "(itself)" : path,
                 valueAt(field, "theirs"), valueAt(field, "ours"), json::textAt(difference, {"reason"})});
    }
    if (const auto more = json::intAt(difference, {"fieldsLeftOut"}).value_or(0); more != 0)
      table.add({ageAt(difference, "time", now), json::textAt(difference, {"outcome"}),
                 json::textAt(difference, {"controller"}), objectIn(difference), fmt::format("({} more)", more), "", "",
                 json::textAt(difference, {"reason"})});
  }
  return table;
}

std::vector<std::string> shadowNotes(const json::Value& report, base::WallTime now) {
  std::map<std::string, std::int64_t> sums;
  for (const auto& each : arrayOf(report, "counts"))
    sums[json::textAt(each, {"outcome"})] += json::intAt(each, {"count"}).value_or(0);
  std::vector<std::string> parts;
  parts.reserve(sums.size());
  for (const auto& [outcome, sum] : sums) parts.push_back(fmt::format("{} {}", sum, outcome));
  std::vector<std::string> notes{
      fmt::format("decisions in {}: {}; {} objects wait", ageAt(report, "since", now),
                  parts.empty() ? std::string("none yet") : fmt::format("{}", fmt::join(parts, ", ")),
                  json::intAt(report, {"pending"}).value_or(0))};
  if (const auto dropped = json::intAt(report, {"dropped"}).value_or(0); dropped != 0)
    notes.push_back(fmt::format("{} were dropped, there were too many", dropped));
  if (const auto left = json::intAt(report, {"notKept"}).value_or(0); left != 0)
    notes.push_back(fmt::format("{} times there was no room for an object of a workload cluster", left));
  if (const auto times = json::intAt(report, {"versionsBegunAnew"}).value_or(0); times != 0)
    notes.push_back(fmt::format("{} times versions of a kind began anew, as in a cluster that was restored", times));
  std::vector<std::string> others;
  for (const auto& each : arrayOf(report, "otherManagers"))
    others.push_back(fmt::format("{} ({})", json::textAt(each, {"manager"}), json::intAt(each, {"count"}).value_or(0)));
  if (const auto more = json::intAt(report, {"otherManagersLeftOut"}).value_or(0); more != 0)
    others.push_back(fmt::format("and {} others, who wrote less", more));
  if (!others.empty())
    notes.push_back(fmt::format("taken for somebody else than Metal3's managers: {}", fmt::join(others, ", ")));
  for (const auto& each : arrayOf(report, "ironic"))
    notes.push_back(fmt::format("would have asked Ironic {} times: {} {}", json::intAt(each, {"times"}).value_or(0),
                                json::textAt(each, {"method"}), json::textAt(each, {"what"})));
  return notes;
}

}  // namespace ingot::cli
