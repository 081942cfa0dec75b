#include "apiserver/crd/naming.hpp"

#include "apiserver/discovery/virtual_resources.hpp"
#include "apiserver/registry/core_resources.hpp"

namespace ingot::apiserver {

namespace {

std::vector<std::string> shortNamesOf(const json::Value& names) {
  std::vector<std::string> out;
  if (const json::Array* all = json::arrayAt(names, {"shortNames"}))
    for (const auto& one : *all)
      if (one.is_string()) out.emplace_back(one.get_string());
  return out;
}

class Judge {
 public:
  Judge(const json::Value& wanted, const json::Value& had, const TakenNames& taken)
      : wanted_(wanted), had_(had), taken_(taken) {
    if (had.is_object()) naming_.accepted = had.get_object();
  }

  Naming run() {
    single("plural", "PluralConflict", taken_.resources);
    single("singular", "SingularConflict", taken_.resources);
    shortNames();
    single("kind", "KindConflict", taken_.kinds);
    single("listKind", "ListKindConflict", taken_.kinds);
    accept("categories");
    // In the order in which they were asked for.
    if (naming_.complete()) naming_.accepted = wanted_.get_object();
    return std::move(naming_);
  }

 private:
  static std::string inUse(const std::string& name) {
    return json::serialize(json::Value(name)) + " is already in use";
  }

  void refuse(std::string_view reason, std::string message) {
    naming_.reason = reason;
    naming_.message = std::move(message);
  }

  void accept(std::string_view member) {
    const json::Value* value = json::find(wanted_, {member});
    if (value)
      naming_.accepted[member] = *value;
    else
      naming_.accepted.erase(member);
  }

  void single(std::string_view member, std::string_view reason, const std::set<std::string>& taken) {
    const std::string name = json::textAt(wanted_, {member});
    if (name != json::textAt(had_, {member}) && taken.contains(name)) return refuse(reason, inUse(name));
    accept(member);
  }

  void shortNames() {
    const std::vector<std::string> own = shortNamesOf(had_);
    std::vector<std::string> conflicts;
    for (const auto& name : shortNamesOf(wanted_)) {
      const bool had = std::find(own.begin(), own.end(), name) != own.end();
      if (!had && taken_.resources.contains(name)) conflicts.push_back(inUse(name));
    }
    if (conflicts.empty()) return accept("shortNames");
    const std::string all = fmt::format("{}", fmt::join(conflicts, ", "));
    refuse("ShortNamesConflict", conflicts.size() > 1 ? "[" + all + "]" : all);
  }

  const json::Value& wanted_;
  const json::Value& had_;
  const TakenNames& taken_;
  Naming naming_;
};

}  // namespace

void TakenNames::add(const json::Value& names) {
  for (std::string_view member : {"plural", "singular"}) resources.insert(json::textAt(names, {member}));
  for (auto& name : shortNamesOf(names)) resources.insert(std::move(name));
  for (std::string_view member : {"kind", "listKind"}) kinds.insert(json::textAt(names, {member}));
}

Naming judgeNames(const json::Value& wanted, const json::Value& had, const TakenNames& taken) {
  return Judge(wanted, had, taken).run();
}

bool isBuiltIn(const GroupResource& id, const std::string& kind) {
  static const std::vector<BuiltInKind> all = builtInKinds();
  const auto same = [&](std::string_view group, std::string_view plural, std::string_view name) {
    return group == id.group && (plural == id.resource || name == kind);
  };
  const auto& virtuals = virtualResources();
  return std::any_of(all.begin(), all.end(),
                     [&](const BuiltInKind& one) { return same(one.info.group, one.info.plural, one.info.kind); }) ||
         std::any_of(virtuals.begin(), virtuals.end(),
                     [&](const VirtualResource& one) { return same(one.group, one.plural, one.kind); });
}

}  // namespace ingot::apiserver
