#include "cli/check/admission.hpp"

#include "api/conversion/error.hpp"
#include "api/kinds/kinds.hpp"
#include "cli/apply/topics.hpp"

namespace ingot::cli {
namespace {

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

// Warnings name their field at their head.
Complaint warningOf(const std::string& text) {
  const auto space = text.find(' ');
  if (!text.starts_with("spec.") || space == std::string::npos) return {fieldMeant(text), text};
  return {text.substr(0, space), text.substr(space + 1)};
}

Admission told(const api::Verdict& verdict) {
  Admission out{aboutFields(verdict.fields), {}};
  for (auto& complaint : aboutTopics(verdict.errors)) out.errors.push_back(std::move(complaint));
  for (const std::string& text : verdict.warnings) {
    Complaint warning = warningOf(text);
    if (std::ranges::find(out.warnings, warning.problem, &Complaint::problem) == out.warnings.end())
      out.warnings.push_back(std::move(warning));
  }
  return out;
}

// In the version that admission is written for.
Admission judged(const json::Value& object, const api::KindRow& kind) {
  json::Value defaulted = kind.convert ? kind.convert(object, kind.stored->version) : object;
  kind.rules->setDefaults(defaulted);
  return told(kind.rules->create(defaulted));
}

}  // namespace

Admission admission(const json::Value& object) {
  const api::KindRow* kind = api::rowOf(object);
  if (!kind || !kind->rules) return {};
  try {
    return judged(object, *kind);
  } catch (const json::DecodeError& bad) {
    return {.errors = {{bad.path(), bad.problem()}}};
  } catch (const api::ConversionError& bad) {
    return {.errors = {conversionComplaint(bad.what())}};
  }
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
