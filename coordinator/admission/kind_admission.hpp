// Admission of one kind inside the embedded API: its defaults, then the rules that its validating webhook would run.
#pragma once

#include "apiserver/registry/registry.hpp"
#include "coordinator/admission/judge.hpp"

#include <memory>

namespace ingot::coordinator {

// What the embedded API holds. `registry` is lent.
class RegistryObjects final : public OtherObjects {
 public:
  explicit RegistryObjects(const apiserver::Registry& registry) : registry_(registry) {}
  void eachMentioning(const kube::KindInfo& kind, const std::string& name, const std::optional<std::string>& namespace_,
                      const Visit& visit) const override;
  [[nodiscard]] std::optional<json::Value> named(const kube::KindInfo& kind, const kube::ObjectKey& key) const override;

 private:
  const apiserver::Registry& registry_;
};

// A refusal is thrown as ApiError, in the words that a kube-apiserver has for one of a webhook.
class KindAdmission final : public apiserver::KindRules {
 public:
  // A kind that has rules.
  KindAdmission(const api::KindRow& kind, std::shared_ptr<const OtherObjects> others)
      : kind_(kind), others_(std::move(others)) {}

  void mutate(json::Value& object, const json::Value* old, const apiserver::WriteContext& context,
              apiserver::Warnings& warnings) const override;
  void admit(const json::Value& object, const json::Value* old, const apiserver::WriteContext& context,
             apiserver::Warnings& warnings) const override;
  void admitDelete(const json::Value& object, const apiserver::WriteContext& context,
                   apiserver::Warnings& warnings) const override;

 private:
  void decide(const Question& question, bool replay, apiserver::Warnings& warnings) const;

  api::KindRow kind_;
  std::shared_ptr<const OtherObjects> others_;
};

}  // namespace ingot::coordinator
