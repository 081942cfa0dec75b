// Admission and defaults of the Cluster API provider's kinds against upstream's webhooks (spec/capm3.md §5).
#include "api/capm3/admission.hpp"
#include "tests/vectors/vector_runner.hpp"

namespace ingot::vectors {

namespace {

namespace v1beta2 = api::capm3::v1beta2;
using api::capm3::Decision;

template <class T>
Decision decisionOn(const json::Value& in) {
  const T object = json::decode<T>(in.at("object"));
  if (json::textAt(in, {"op"}) == "create") return api::capm3::admitCreate(object);
  return api::capm3::admitUpdate(json::decode<T>(in.at("oldObject")), object);
}

using Decide = Decision (*)(const json::Value&);
const std::map<std::string, Decide> kDeciders = {
    {"Metal3Cluster", decisionOn<v1beta2::Metal3Cluster>},
    {"Metal3ClusterTemplate", decisionOn<v1beta2::Metal3ClusterTemplate>},
    {"Metal3Data", decisionOn<v1beta2::Metal3Data>},
    {"Metal3DataClaim", decisionOn<v1beta2::Metal3DataClaim>},
    {"Metal3DataTemplate", decisionOn<v1beta2::Metal3DataTemplate>},
    {"Metal3Machine", decisionOn<v1beta2::Metal3Machine>},
    {"Metal3MachineTemplate", decisionOn<v1beta2::Metal3MachineTemplate>},
    {"Metal3Remediation", decisionOn<v1beta2::Metal3Remediation>},
    {"Metal3RemediationTemplate", decisionOn<v1beta2::Metal3RemediationTemplate>},
};

template <class T>
json::Value defaulted(const json::Value& object) {
  T out = json::decode<T>(object);
  api::capm3::setDefaults(out);
  return json::encode(out);
}

std::string runDefault(const Line& line, const std::string& kind) {
  const auto& object = line.in.at("object");
  auto out = kind == "Metal3Cluster" ? defaulted<v1beta2::Metal3Cluster>(object)
                                     : defaulted<v1beta2::Metal3RemediationTemplate>(object);
  return compare(line, json::Object{{"object", std::move(out)}}, std::nullopt);
}

json::Array causesOf(const api::FieldErrors& errors) {
  json::Array out;
  for (const auto& cause : errors.all())
    out.push_back(json::Object{{"field", cause.field}, {"message", cause.message}, {"reason", cause.reason}});
  return out;
}

std::optional<std::string> errorOf(const Decision& decision, const Line& line, const std::string& kind) {
  if (decision.allowed()) return std::nullopt;
  if (!decision.refusal.empty()) return decision.refusal;
  const std::string name = json::textAt(line.in, {"object", "metadata", "name"});
  return decision.errors.message(kind + ".infrastructure.cluster.x-k8s.io", name);
}

std::string run(const Line& line) {
  const std::string kind = json::textAt(line.in, {"kind"});
  if (json::textAt(line.in, {"op"}) == "default") return runDefault(line, kind);
  const Decision decision = kDeciders.at(kind)(line.in);
  json::Object out{{"allowed", decision.allowed()}};
  if (!decision.warnings.empty()) out["warnings"] = json::Array(decision.warnings.begin(), decision.warnings.end());
  if (!decision.errors.empty()) {
    out["causes"] = causesOf(decision.errors);
    out["code"] = 422;
    out["reason"] = "Invalid";
  }
  return compare(line, out, errorOf(decision, line, kind));
}

const Registration registration("capm3_validation", run);

}  // namespace

}  // namespace ingot::vectors
