#include "kube/schema/cel_rules.hpp"

namespace ingot::kube {

namespace {

struct Known {
  std::string_view text;
  CelRule rule;
};

constexpr Known kKnown[] = {
    {"!(self in ['Ready','Available','HealthCheckSucceeded','OwnerRemediated','ExternallyRemediated'])",
     CelRule::notReservedConditionType},
    {"self.all(x, self.exists_one(y, x == y))", CelRule::itemsUnique},
    {"self.all(x, self.exists_one(y, x.name == y.name))", CelRule::namesUnique},
    {"self.matches('^(Linux|LinuxSwap|LinuxRAID|LVM|Fat32|NTFS|LinuxExtended|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-"
     "Fa-"
     "f]{12})$')",
     CelRule::partitionType},
    {"[has(self.layout),has(self.diskLayout)].filter(x,x==true).size() == 1", CelRule::layoutOrDiskLayout},
    {"self == oldSelf", CelRule::immutable},
    {"!(has(self.approved) && self.approved) || has(self.fingerprint) && size(self.fingerprint) > 0 && "
     "(has(self.networks) && size(self.networks) > 0 || has(self.hostLabels) && size(self.hostLabels) > 0 || "
     "has(self.allHosts) && self.allHosts)",
     CelRule::approvalComplete},
};

bool notReserved(const json::Value& self) {
  static constexpr std::string_view kReserved[] = {"Ready", "Available", "HealthCheckSucceeded", "OwnerRemediated",
                                                   "ExternallyRemediated"};
  if (!self.is_string()) return true;
  const std::string_view text = self.get_string();
  return std::find(std::begin(kReserved), std::end(kReserved), text) == std::end(kReserved);
}

template <class Same>
bool unique(const json::Value& self, Same same) {
  const json::Array* items = self.if_array();
  if (!items) return true;
  for (std::size_t i = 0; i < items->size(); ++i)
    for (std::size_t k = i + 1; k < items->size(); ++k)
      if (same((*items)[i], (*items)[k])) return false;
  return true;
}

bool isPartitionType(const json::Value& self) {
  static const Pattern pattern(
      "^(Linux|LinuxSwap|LinuxRAID|LVM|Fat32|NTFS|LinuxExtended|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$");
  return !self.is_string() || pattern.found(self.get_string());
}

bool isTrue(const json::Value& self, const char* member) {
  const auto* value = json::find(self, {member});
  return value != nullptr && value->is_bool() && value->get_bool();
}

bool hasSome(const json::Value& self, const char* member) {
  const auto* value = json::find(self, {member});
  if (value == nullptr) return false;
  if (const auto* text = value->if_string()) return !text->empty();
  if (const auto* list = value->if_array()) return !list->empty();
  const auto* map = value->if_object();
  return map != nullptr && !map->empty();
}

// Of a ProvisioningAgent's spec.
bool isApprovalComplete(const json::Value& self) {
  return !isTrue(self, "approved") ||
         (hasSome(self, "fingerprint") &&
          (hasSome(self, "networks") || hasSome(self, "hostLabels") || isTrue(self, "allHosts")));
}

}  // namespace

std::optional<CelRule> knownRule(std::string_view text) {
  for (const auto& known : kKnown)
    if (known.text == text) return known.rule;
  return std::nullopt;
}

bool holds(CelRule rule, const json::Value& self, const json::Value* old) {
  switch (rule) {
    case CelRule::notReservedConditionType: return notReserved(self);
    case CelRule::itemsUnique: return unique(self, json::equal);
    case CelRule::namesUnique:
      return unique(self, [](const json::Value& a, const json::Value& b) {
        return json::textAt(a, {"name"}) == json::textAt(b, {"name"});
      });
    case CelRule::partitionType: return isPartitionType(self);
    case CelRule::layoutOrDiskLayout:
      return (json::find(self, {"layout"}) != nullptr) != (json::find(self, {"diskLayout"}) != nullptr);
    case CelRule::approvalComplete: return isApprovalComplete(self);
    case CelRule::immutable: return old == nullptr || json::equal(self, *old);
  }
  return true;
}

}  // namespace ingot::kube
