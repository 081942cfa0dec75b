// Admission and defaults of the Cluster API provider's kinds against upstream's webhooks (spec/capm3.md §5).
#include "api/capm3/admission.hpp"
#include "tests/vectors/vector_runner.hpp"

namespace ingot::vectors {

namespace {

namespace v1beta2 = api::capm3::v1beta2;
using api::Verdict;

template <class T>
Verdict verdictOn(const json::Value& in) {
  const T object = json::decode<T>(in.at("object"));
  if (json::textAt(in, {"op"}) == "create") return api::capm3::admitCreate(object);
  return api::capm3::admitUpdate(json::decode<T>(in.at("oldObject")), object);
}

using Decide = Verdict (*)(const json::Value&);
const std::map<std::string, Decide> kDeciders = {
    {"Metal3Cluster", verdictOn<v1beta2::Metal3Cluster>},
    {"Metal3ClusterTemplate", verdictOn<v1beta2::Metal3ClusterTemplate>},
    {"Metal3Data", verdictOn<v1beta2::Metal3Data>},
    {"Metal3DataClaim", verdictOn<v1beta2::Metal3DataClaim>},
    {"Metal3DataTemplate", verdictOn<v1beta2::Metal3DataTemplate>},
    {"Metal3Machine", verdictOn<v1beta2::Metal3Machine>},
    {"Metal3MachineTemplate", verdictOn<v1beta2::Metal3MachineTemplate>},
    {"Metal3Remediation", verdictOn<v1beta2::Metal3Remediation>},
    {"Metal3RemediationTemplate", verdictOn<v1beta2::Metal3RemediationTemplate>},
};

template <class T>
json::Value defaulted(const json::Value& object) {
  T out = json::decode<T>(object);
  api::capm3::setDefaults(out);
  return json::encode(out);
}

Outcome runDefault(const Line& line, const std::string& kind) {
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

std::optional<std::string> errorOf(const Verdict& verdict, const Line& line, const std::string& kind) {
  if (verdict.allowed()) return std::nullopt;
  if (!verdict.errors.empty()) return verdict.message();
  const std::string name = json::textAt(line.in, {"object", "metadata", "name"});
  return verdict.fields.message(kind + ".infrastructure.cluster.x-k8s.io", name);
}

Outcome runCapm3Validation(const Line& line) {
  const std::string kind = json::textAt(line.in, {"kind"});
  if (json::textAt(line.in, {"op"}) == "default") return runDefault(line, kind);
  const Verdict verdict = kDeciders.at(kind)(line.in);
  json::Object out{{"allowed", verdict.allowed()}};
  if (!verdict.warnings.empty()) out["warnings"] = json::Array(verdict.warnings.begin(), verdict.warnings.end());
  if (!verdict.fields.empty()) {
    out["causes"] = causesOf(verdict.fields);
    out["code"] = 422;
    out["reason"] = "Invalid";
  }
  return compare(line, out, errorOf(verdict, line, kind));
}

const Registration capm3ValidationRegistration("capm3_validation", runCapm3Validation);

}  // namespace

}  // namespace ingot::vectors
