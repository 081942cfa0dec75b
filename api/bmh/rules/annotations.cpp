// Annotations that carry JSON or a word.
#include "api/bmh/names.hpp"
#include "api/bmh/reboot_request.hpp"
#include "api/bmh/rules/rules.hpp"
#include "json/go_names.hpp"

namespace ingot::api::rules {

namespace {

// Go's readers of streams and of whole documents name a text that stops too early differently.
constexpr std::string_view kStreamCutShort = "unexpected EOF", kDocumentCutShort = "unexpected end of JSON input";

struct Reading {
  std::string problem;  // "" when it could be read
};

// As a strict stream decoder: the first document counts, unknown fields do not pass.
template <class T>
Reading readStrictly(const std::string& text, T& out) {
  try {
    std::vector<std::string> unknown;
    out = json::decodeStrict<T>(json::withGoNames<T>(json::parseFirst(text)), unknown);
    if (unknown.empty()) return {};
    const auto dot = unknown.front().rfind('.');
    return {"json: unknown field \"" + unknown.front().substr(dot == std::string::npos ? 0 : dot + 1) + "\""};
  } catch (const json::ParseError& e) {
    return {e.endedEarly() ? std::string(kStreamCutShort) : e.what()};
  } catch (const json::DecodeError& e) {
    return {e.what()};
  }
}

template <class T>
Reading readLeniently(const std::string& text, T& out) {
  try {
    out = json::decode<T>(json::withGoNames<T>(json::parse(text)));
    return {};
  } catch (const json::ParseError& e) {
    return {e.endedEarly() ? std::string(kDocumentCutShort) : e.what()};
  } catch (const json::DecodeError& e) {
    return {e.what()};
  }
}

bool isOneOf(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

void statusAnnotation(const std::string& text, Errors& errors) {
  if (text.empty()) return;
  BareMetalHostStatus status;
  if (const auto reading = readStrictly(text, status); !reading.problem.empty()) {
    errors.push_back("error decoding status annotation: " + reading.problem);
    return;
  }
  using namespace operational_status;
  if (!isOneOf(status.operationalStatus, {none, ok, discovered, error, delayed, detached}))
    errors.push_back("invalid operationalStatus '" + status.operationalStatus +
                     "' in the baremetalhost.metal3.io/status annotation");
  if (!isOneOf(status.errorType,
               {error_type::none, error_type::provisionedRegistration, error_type::registration, error_type::inspection,
                error_type::preparation, error_type::provisioning, error_type::powerManagement}))
    errors.push_back("invalid errorType '" + status.errorType + "' in the baremetalhost.metal3.io/status annotation");
}

void inspectAnnotation(const std::string& text, Errors& errors) {
  if (!isOneOf(text, {"disabled", ""}))
    errors.emplace_back("invalid value for the inspect.metal3.io annotation, allowed are \"disabled\" or \"\"");
}

void hardwareDetailsAnnotation(const BareMetalHost& host, const std::string& text, Errors& errors) {
  if (text.empty()) return;
  if (!host.inspectionDisabled()) {
    errors.emplace_back(
        "when hardware details are provided, inspection must be disabled (either via inspect.metal3.io annotation or "
        "inspectionMode field)");
    return;
  }
  HardwareDetails details;
  if (const auto reading = readStrictly(text, details); !reading.problem.empty())
    errors.push_back("error decoding the inspect.metal3.io/hardwaredetails annotation: " + reading.problem);
}

}  // namespace

bool isRebootAnnotation(std::string_view key) {
  return key == annotation::reboot || key.starts_with(annotation::rebootPrefix);
}

void rebootAnnotation(const std::string& text, Errors& errors) {
  if (text.empty()) return;
  RebootRequest request;
  if (const auto reading = readLeniently(text, request); !reading.problem.empty()) {
    errors.push_back("failed to unmarshal the data from the reboot.metal3.io annotation: " + reading.problem);
  } else if (!isOneOf(request.mode, {"hard", "soft", ""})) {
    errors.emplace_back("invalid mode in the reboot.metal3.io annotation, allowed are \"hard\", \"soft\" or \"\"");
  }
}

void annotations(const BareMetalHost& host, Errors& errors) {
  for (const auto& [key, text] : host.metadata.annotations) {
    if (key == annotation::status) statusAnnotation(text, errors);
    if (isRebootAnnotation(key)) rebootAnnotation(text, errors);
    if (key == annotation::inspect) inspectAnnotation(text, errors);
    if (key == annotation::hardwareDetails) hardwareDetailsAnnotation(host, text, errors);
  }
}

}  // namespace ingot::api::rules
