#include "apiserver/crd/crd_rules.hpp"

namespace ingot::apiserver {

namespace {

class CrdRules final : public KindRules {
 public:
  explicit CrdRules(ConvertibleGroups convertible) : convertible_(std::move(convertible)) {}

  void prepare(json::Value& object, const WriteContext&, Warnings&) const override { defaultCrd(object); }

  void mutate(json::Value& object, const json::Value* old, const WriteContext& context, Warnings&) const override {
    if (old || context.operation != Operation::create) return;
    json::Value& finalizers = json::makeObjectAt(object, {"metadata"})["finalizers"];
    if (!finalizers.is_array()) finalizers = json::Array();
    for (const auto& one : finalizers.get_array())
      if (one == json::Value(kCrdFinalizer)) return;
    finalizers.get_array().emplace_back(kCrdFinalizer);
  }

  std::vector<StatusCause> validate(const json::Value& object, const json::Value* old, const WriteContext& context,
                                    Warnings&) const override {
    if (context.subresource == "status") return {};
    std::vector<StatusCause> causes = crdProblems(object, convertible_);
    if (old && json::find(object, {"status", "conditions"}))
      for (std::string_view field : {"group", "scope"})
        if (json::textAt(object, {"spec", field}) != json::textAt(*old, {"spec", field}))
          causes.push_back(invalidValue("spec." + std::string(field),
                                        json::serialize(json::Value(json::textAt(object, {"spec", field}))),
                                        "field is immutable"));
    return causes;
  }

 private:
  ConvertibleGroups convertible_;
};

}  // namespace

std::shared_ptr<const KindRules> crdRules(ConvertibleGroups convertible) {
  return std::make_shared<const CrdRules>(std::move(convertible));
}

}  // namespace ingot::apiserver
