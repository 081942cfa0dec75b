// Namespaces: born with the finalizer that empties them, labelled with their own name, four of them protected.
#include "apiserver/registry/core_resources.hpp"
#include "apiserver/registry/errors.hpp"

namespace ingot::apiserver {
namespace {

class NamespaceRules final : public KindRules {
 public:
  void mutate(json::Value& object, const json::Value* old, const WriteContext& context, Warnings&) const override {
    const std::string name = json::textAt(object, {"metadata", "name"});
    json::makeObjectAt(object, {"metadata", "labels"})["kubernetes.io/metadata.name"] = name;
    if (!old) {
      json::makeObjectAt(object, {"spec"})["finalizers"] = json::Array{"kubernetes"};
      json::makeObjectAt(object, {"status"})["phase"] = "Active";
      return;
    }
    if (context.subresource == "finalize") return;
    // spec.finalizers belong to the finalize subresource.
    const auto* finalizers = json::arrayAt(*old, {"spec", "finalizers"});
    if (finalizers) json::makeObjectAt(object, {"spec"})["finalizers"] = *finalizers;
  }

  void admitDelete(const json::Value& object, const WriteContext&, Warnings&) const override {
    const std::string name = json::textAt(object, {"metadata", "name"});
    for (const std::string_view kept : {"default", "kube-system", "kube-public"}) {
      if (name != kept) continue;
      ResourceInfo info;
      info.plural = "namespaces";
      throw forbidden(info, name, "this namespace may not be deleted");
    }
  }
};

}  // namespace

RulesPtr namespaceRules() { return std::make_shared<NamespaceRules>(); }

}  // namespace ingot::apiserver
