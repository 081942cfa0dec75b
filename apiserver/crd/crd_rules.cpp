#include "apiserver/crd/crd_rules.hpp"

#include "apiserver/crd/status.hpp"

namespace ingot::apiserver {

namespace {

constexpr std::string_view kApproval = "api-approved.kubernetes.io";

bool isProtectedGroup(std::string_view group) {
  for (std::string_view own : {"k8s.io", "kubernetes.io"})
    if (group == own || (group.ends_with(own) && group[group.size() - own.size() - 1] == '.')) return true;
  return false;
}

std::string approvalOf(const json::Value& crd) { return json::textAt(crd, {"metadata", "annotations", kApproval}); }

std::string quoted(const std::string& text) { return json::serialize(json::Value(text)); }

class CrdRules final : public KindRules {
 public:
  explicit CrdRules(ConvertibleKinds convertible) : convertible_(std::move(convertible)) {}

  void prepare(json::Value& object, const WriteContext&, Warnings&) const override { defaultCrd(object); }

  void mutate(json::Value& object, const json::Value* old, const WriteContext& context, Warnings&) const override {
    if (!context.subresource.empty()) return;
    // With the write itself: objects may be stored in that version before the status is brought up to date.
    if (!storageVersionOf(object).empty())
      json::makeObjectAt(object, {"status"})["storedVersions"] = storedVersionsOf(object);
    if (old || context.operation != Operation::create) return;
    json::Value& finalizers = json::makeObjectAt(object, {"metadata"})["finalizers"];
    if (!finalizers.is_array()) finalizers = json::Array();
    for (const auto& one : finalizers.get_array())
      if (one == json::Value(kCrdFinalizer)) return;
    finalizers.get_array().emplace_back(kCrdFinalizer);
  }

  std::vector<StatusCause> validate(const json::Value& object, const json::Value* old, const WriteContext& context,
                                    Warnings&) const override {
    if (context.subresource == "status" || (old && sameSpec(object, *old))) return {};
    std::vector<StatusCause> causes = crdProblems(object, convertible_);
    if (old) requireSameNames(object, *old, causes);
    requireStoredVersions(object, causes);
    requireApproval(object, old, causes);
    return causes;
  }

 private:
  // What was accepted once is not judged again: also a definition that nobody can use must be able to go.
  static bool sameSpec(const json::Value& object, const json::Value& old) {
    const json::Value *a = json::find(object, {"spec"}), *b = json::find(old, {"spec"});
    return a && b && json::equal(*a, *b) && approvalOf(object) == approvalOf(old);
  }

  static void requireSameNames(const json::Value& object, const json::Value& old, std::vector<StatusCause>& causes) {
    const auto require = [&](std::initializer_list<std::string_view> path, std::string field) {
      const std::string now = json::textAt(object, path);
      if (now != json::textAt(old, path))
        causes.push_back(invalidValue(std::move(field), quoted(now), "field is immutable"));
    };
    if (isEstablished(old)) {
      require({"spec", "scope"}, "spec.scope");
      require({"spec", "names", "kind"}, "spec.names.kind");
    }
    require({"spec", "group"}, "spec.group");
    require({"spec", "names", "plural"}, "spec.names.plural");
  }

  // A version in which objects may still be stored has to stay readable.
  static void requireStoredVersions(const json::Value& object, std::vector<StatusCause>& causes) {
    const json::Array* stored = json::arrayAt(object, {"status", "storedVersions"});
    for (std::size_t i = 0; stored && i < stored->size(); ++i) {
      const json::Value& one = (*stored)[i];
      if (!one.is_string() || hasVersion(object, one)) continue;
      const std::string name(one.get_string());
      causes.push_back(invalidValue(
          fmt::format("status.storedVersions[{}]", i), quoted(name),
          fmt::format("missing from spec.versions; {0} was previously a storage version, and must remain in "
                      "spec.versions until a storage migration ensures no data remains persisted in {0} and removes "
                      "{0} from status.storedVersions",
                      name)));
    }
  }

  static bool hasVersion(const json::Value& crd, const json::Value& name) {
    const json::Array* all = json::arrayAt(crd, {"spec", "versions"});
    return all && std::any_of(all->begin(), all->end(), [&](const json::Value& version) {
             const json::Value* own = json::find(version, {"name"});
             return own && *own == name;
           });
  }

  // Groups of the Kubernetes project itself. Who has got a definition into the server may go on changing it.
  static void requireApproval(const json::Value& object, const json::Value* old, std::vector<StatusCause>& causes) {
    const std::string approval = approvalOf(object);
    if (!isProtectedGroup(json::textAt(object, {"spec", "group"})) || (old && approvalOf(*old) == approval)) return;
    const std::string field = fmt::format("metadata.annotations[{}]", kApproval);
    if (approval.empty())
      causes.push_back(requiredValue(field, fmt::format("protected groups must have approval annotation \"{}\", see "
                                                        "https://github.com/kubernetes/enhancements/pull/1111",
                                                        kApproval)));
    else if (!approval.starts_with("unapproved") && approval.find("://") == std::string::npos)
      causes.push_back(invalidValue(
          field, quoted(approval),
          fmt::format("protected groups must have approval annotation \"{}\" with either a URL or a reason starting "
                      "with \"unapproved\", see https://github.com/kubernetes/enhancements/pull/1111",
                      kApproval)));
  }

  ConvertibleKinds convertible_;
};

}  // namespace

std::shared_ptr<const KindRules> crdRules(ConvertibleKinds convertible) {
  return std::make_shared<const CrdRules>(std::move(convertible));
}

}  // namespace ingot::apiserver
