// Admission of BareMetalHosts against upstream's webhook.
#include "api/bmh/admission.hpp"
#include "tests/vectors/vector_runner.hpp"

namespace ingot::vectors {

namespace {

api::BareMetalHost hostAt(const Line& line, std::string_view key) {
  return json::decode<api::BareMetalHost>(line.in.at(key));
}

api::Verdict verdictOn(const Line& line) {
  if (json::textAt(line.in, {"op"}) == "create") return admitCreate(hostAt(line, "object"));
  return admitUpdate(hostAt(line, "oldObject"), hostAt(line, "object"));
}

json::Value errorsOf(const api::Verdict& verdict, bool ordered) {
  auto errors = verdict.errors;
  if (!ordered) std::ranges::sort(errors);
  json::Array out;
  for (const auto& error : errors) out.emplace_back(error);
  return out;
}

Outcome runBmhValidation(const Line& line) {
  const api::Verdict verdict = verdictOn(line);
  const bool ordered = !json::boolAt(line.out, {"orderUnspecified"}).value_or(false);
  json::Object out{{"allowed", verdict.allowed()}};
  if (!verdict.allowed()) out["errors"] = errorsOf(verdict, ordered);
  if (!ordered) {
    out["orderUnspecified"] = true;
    return compare({.name = line.name, .in = line.in, .out = line.out}, out, std::nullopt);
  }
  return compare(line, out, verdict.allowed() ? std::nullopt : std::optional(verdict.message()));
}

const Registration bmhValidationRegistration("bmh_validation", runBmhValidation);

}  // namespace

}  // namespace ingot::vectors
