#include "cli/check/admission.hpp"

#include "api/bmh/admission.hpp"
#include "api/capm3/admission.hpp"
#include "api/capm3/conversion/convert.hpp"
#include "api/ipam/admission.hpp"
#include "api/metal3/admission.hpp"
#include "cli/apply/topics.hpp"

namespace ingot::cli {
namespace {

using api::admitCreate;
using api::capm3::admitCreate;
using api::capm3::setDefaults;
using api::ipam::admitCreate;
using api::ipam::setDefaults;
namespace v1beta2 = api::capm3::v1beta2;

std::vector<Complaint> aboutTopics(const std::vector<std::string>& sentences) {
  std::vector<Complaint> out;
  for (const std::string& one : sentences) {
    const bool isKnown = std::ranges::find(out, one, &Complaint::problem) != out.end();  // upstream says some twice
    if (!isKnown) out.push_back({fieldMeant(one), one});
  }
  return out;
}

std::vector<Complaint> aboutFields(const api::FieldErrors& errors) {
  std::vector<Complaint> out;
  for (const kube::StatusCause& cause : errors.all()) out.push_back({cause.field, cause.message});
  return out;
}

Admission told(const api::Verdict& verdict) { return {aboutTopics(verdict.errors), aboutTopics(verdict.warnings)}; }

Admission told(const api::FieldErrors& errors) { return {aboutFields(errors), {}}; }

// Warnings name their field at their head.
Complaint warningOf(const std::string& text) {
  const auto space = text.find(' ');
  if (!text.starts_with("spec.") || space == std::string::npos) return {fieldMeant(text), text};
  return {text.substr(0, space), text.substr(space + 1)};
}

Admission told(const api::capm3::Decision& decision) {
  Admission out{aboutFields(decision.errors), {}};
  if (!decision.refusal.empty()) out.errors.push_back({fieldMeant(decision.refusal), decision.refusal});
  for (const std::string& text : decision.warnings) out.warnings.push_back(warningOf(text));
  return out;
}

template <class T>
Admission judged(const json::Value& object) {
  T decoded = json::decode<T>(object);
  if constexpr (requires { setDefaults(decoded); }) setDefaults(decoded);
  return told(admitCreate(decoded));
}

struct Rules {
  const kube::KindInfo* kind;
  Admission (*judge)(const json::Value& object);
};

template <class... T>
std::vector<Rules> rulesOf() {
  return {{&T::info, judged<T>}...};
}

std::vector<Rules> allRules() {
  return rulesOf<api::BareMetalHost, api::DataImage, api::HostFirmwareComponents, api::BMCEventSubscription,
                 api::HostNetworkAttachment, api::HostClaim, v1beta2::Metal3Cluster, v1beta2::Metal3ClusterTemplate,
                 v1beta2::Metal3Machine, v1beta2::Metal3MachineTemplate, v1beta2::Metal3DataTemplate,
                 v1beta2::Metal3Data, v1beta2::Metal3DataClaim, v1beta2::Metal3Remediation,
                 v1beta2::Metal3RemediationTemplate, api::ipam::IPPool, api::ipam::IPClaim, api::ipam::IPAddress>();
}

// In the version that admission is written for.
json::Value asJudged(const json::Value& object, const kube::KindInfo& kind) {
  return kind.group == v1beta2::Metal3Cluster::info.group ? api::capm3::convert(object, kind.version) : object;
}

}  // namespace

Admission admission(const json::Value& object) {
  const std::string apiVersion = json::textAt(object, {"apiVersion"}), name = json::textAt(object, {"kind"});
  for (const auto& [kind, judge] : allRules()) {
    if (name != kind->kind || !apiVersion.starts_with(std::string(kind->group) + "/")) continue;
    try {
      return judge(asJudged(object, *kind));
    } catch (const json::DecodeError& bad) {
      return {.errors = {{bad.path(), bad.problem()}}};
    } catch (const api::capm3::ConversionError& bad) {
      return {.errors = {conversionComplaint(bad.what())}};
    }
  }
  return {};
}

Complaint conversionComplaint(std::string_view said) {
  constexpr std::string_view kAnnotation = "annotation ";
  const auto colon = said.find(": ");
  if (colon == std::string_view::npos) return {"", std::string(said)};
  std::string field(said.substr(0, colon));
  if (field.starts_with(kAnnotation)) field = "metadata.annotations." + field.substr(kAnnotation.size());
  return {std::move(field), std::string(said.substr(colon + 2))};
}

}  // namespace ingot::cli
