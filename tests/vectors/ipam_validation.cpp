// Admission of ipam.metal3.io against upstream's webhooks (spec/ipam.md §7).
#include "api/ipam/admission.hpp"
#include "tests/vectors/vector_runner.hpp"

#include <algorithm>
#include <tuple>

namespace {

using namespace ingot;

template <class T>
api::Verdict verdictOn(const json::Value& in) {
  const T object = json::decode<T>(in.at("object"));
  if (json::textAt(in, {"op"}) == "create") return admitCreate(object);
  return admitUpdate(json::decode<T>(in.at("oldObject")), object);
}

api::Verdict verdictOn(const std::string& kind, const json::Value& in) {
  if (kind == "IPPool") return verdictOn<api::ipam::IPPool>(in);
  if (kind == "IPClaim") return verdictOn<api::ipam::IPClaim>(in);
  return verdictOn<api::ipam::IPAddress>(in);
}

json::Array causesOf(const api::FieldErrors& errors, bool ordered) {
  auto all = errors.all();
  if (!ordered)
    std::ranges::sort(all, {}, [](const kube::StatusCause& cause) { return std::tie(cause.message, cause.field); });
  json::Array out;
  for (const auto& cause : all)
    out.push_back(json::Object{{"field", cause.field}, {"message", cause.message}, {"reason", cause.reason}});
  return out;
}

vectors::Outcome runIpamValidation(const vectors::Line& line) {
  const std::string kind = json::textAt(line.in, {"kind"});
  const api::FieldErrors errors = verdictOn(kind, line.in).fields;
  if (errors.empty()) return vectors::compare(line, json::Object{{"allowed", true}}, std::nullopt);
  const bool ordered = !json::boolAt(line.out, {"orderUnspecified"}).value_or(false);
  json::Object out{{"allowed", false}, {"causes", causesOf(errors, ordered)}, {"code", 422}, {"reason", "Invalid"}};
  if (!ordered) {
    out["orderUnspecified"] = true;
    return vectors::compare({.name = line.name, .in = line.in, .out = line.out, .error = std::nullopt}, out,
                            std::nullopt);
  }
  const std::string name = json::textAt(line.in, {"object", "metadata", "name"});
  return vectors::compare(line, out, errors.message(kind + ".ipam.metal3.io", name));
}

const vectors::Registration ipamValidationRegistration("ipam_validation", runIpamValidation);

}  // namespace
