#include "coordinator/shadow/differences.hpp"

#include "base/cut_text.hpp"
#include "base/redaction.hpp"
#include "base/url_redaction.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace ingot::coordinator::shadow {
namespace {

constexpr std::size_t kLongestReason = 400, kLongestName = 128, kLongestPath = 300, kLongestValue = 200;
constexpr std::size_t kMostBytes = 8 << 10;  // of all fields of one difference

// A query may be what an address is signed with.
std::string shown(const std::string& text) { return base::withoutQueries(base::redacted(text, base::Secret())); }

std::string shownPath(const std::string& path) {
  return path.size() <= kLongestPath ? path : base::oneLine(path, kLongestPath);
}

// As JSON. The address of a BMC needs no scheme.
std::string shownValue(const ObjectId& id, const std::string& path, const std::string& value) {
  if (isHidden(id.resource, path)) return "***";
  const bool isAddress = path.ends_with(".address") && value.starts_with('"');
  const std::string text = isAddress ? '"' + base::addressWithoutUserInfo(shown(value.substr(1))) : shown(value);
  return base::cutText(text, kLongestValue);
}

std::size_t sizeOf(const Difference::Field& field) {
  std::size_t size = field.path.size();
  for (const auto* value : {&field.was, &field.theirs, &field.ours}) size += *value ? (*value)->size() : 0;
  return size;
}

void bound(Difference& difference) {
  std::size_t size = 0, kept = 0;
  for (auto& field : difference.fields) {
    for (auto* value : {&field.was, &field.theirs, &field.ours})
      if (*value) *value = shownValue(difference.object, field.path, **value);
    field.path = shownPath(field.path);
    size += sizeOf(field);
    if (size > kMostBytes) break;
    ++kept;
  }
  difference.leftOut += difference.fields.size() - kept;
  difference.fields.resize(kept);
  difference.fields.shrink_to_fit();
  difference.reason = base::cutText(shown(difference.reason), kLongestReason);
  for (auto* name : {&difference.manager, &difference.kind, &difference.version})
    *name = base::oneLine(std::move(*name), kLongestName);
}

// The workload cluster with most, where all of them together have more than `share`, else the management cluster.
std::string fullest(const std::deque<Difference>& all, std::size_t share) {
  std::map<std::string, std::size_t> counts;
  for (const auto& difference : all) ++counts[difference.object.cluster];
  const std::size_t home = counts[""];
  counts.erase("");
  if (all.size() - home <= share) return "";
  return std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; })->first;
}

}  // namespace

Difference Differences::add(Difference difference) {
  bound(difference);
  all_.push_back(difference);
  while (all_.size() > most_) makeRoom();
  return difference;
}

void Differences::makeRoom() {
  const std::string cluster = fullest(all_, most_ / 2);
  const auto oldest =
      std::ranges::find_if(all_, [&](const Difference& difference) { return difference.object.cluster == cluster; });
  const Difference gone = std::move(*oldest);
  all_.erase(oldest);
  ++dropped_;
  onDropped_(gone);
}

void Differences::settle(const ObjectId& id, const std::string& path) {
  const std::string shown = shownPath(path);
  for (auto& difference : all_)
    if (difference.outcome == Outcome::notDone && difference.object == id)
      std::erase_if(difference.fields, [&](const Difference::Field& field) { return field.path == shown; });
  const auto isDone = [](const Difference& difference) { return difference.fields.empty(); };
  for (const auto& difference : all_)
    if (isDone(difference) && difference.leftOut > 0) onDropped_(difference);
  std::erase_if(all_, isDone);
}

bool Differences::shows(const ObjectId& id, const std::string& path) const {
  const std::string shown = shownPath(path);
  return std::ranges::any_of(all_, [&](const Difference& difference) {
    return difference.outcome == Outcome::notDone && difference.object == id &&
           std::ranges::find(difference.fields, shown, &Difference::Field::path) != difference.fields.end();
  });
}

void Differences::wereForeseen(const ObjectId& id, base::MonoTime since) {
  std::erase_if(all_, [&](const Difference& difference) {
    return difference.outcome == Outcome::notForeseen && difference.object == id && difference.seenAt > since;
  });
}

}  // namespace ingot::coordinator::shadow
