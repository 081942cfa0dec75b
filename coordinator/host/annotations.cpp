#include "coordinator/host/annotations.hpp"

#include "api/bmh/annotations.hpp"
#include "api/bmh/carried_status.hpp"
#include "api/bmh/names.hpp"
#include "base/cut_text.hpp"
#include "coordinator/host/detachment.hpp"
#include "coordinator/host/lasting_trouble.hpp"
#include "coordinator/host/leaving.hpp"
#include "coordinator/host/reboot.hpp"
#include "json/go_names.hpp"

#include <ranges>

namespace ingot::coordinator::host {
namespace {

constexpr std::size_t longestValue = 100;
constexpr std::size_t mostTold = 3;  // at once: an object has few Events to spend

constexpr std::string_view rightReboot = R"(nothing, or {"mode": "hard" or "soft", "force": true or false})";
constexpr std::string_view rightDetached = R"(nothing, or {"deleteAction": "delay" or "delete"})";
constexpr std::string_view rightHardware =
    R"(HardwareDetails as status.hardware shows them, e.g. {"cpu":{"arch":"x86_64"}})";
constexpr std::string_view rightStatus =
    R"(the status of a BareMetalHost, e.g. {"provisioning":{"state":"provisioned","ID":"…"}})";

struct Invalid {
  std::string_view name, value, effect, right;
  std::string why = {};
};

std::string shortened(std::string_view value) {
  return value.size() > longestValue ? base::cutText(value, longestValue) + "…" : std::string(value);
}

std::string told(const Invalid& it) {
  return fmt::format("annotation {} {}: its value \"{}\" cannot be read{}{}; right would be {}", it.name, it.effect,
                     shortened(it.value), it.why.empty() ? "" : ": ", it.why, it.right);
}

// Empty when it is done as it says.
std::string detachmentProblem(const api::BareMetalHost& host, const std::string& value) {
  constexpr auto name = api::annotation::detached;
  const auto options = readDetachment(value);
  if (!options) return told({name, value, "counts without options", rightDetached});
  if (!options->force || host.status.operationalStatus == api::operational_status::detached) return "";
  return fmt::format(R"(annotation {}: "force" is not supported: the host is detached once it has come to rest)", name);
}

// Throws what is wrong with it.
api::HardwareDetails parseHardware(const std::string& text) {
  std::vector<std::string> unknown;
  const json::Value document = json::withGoNames<api::HardwareDetails>(boost::json::parse(text));
  auto details = json::decodeStrict<api::HardwareDetails>(document, unknown);
  if (!unknown.empty()) throw base::Error(fmt::format("unknown field \"{}\"", unknown.front()));
  return details;
}

}  // namespace

std::expected<std::optional<api::HardwareDetails>, std::string> hardwareDetailsIn(const api::BareMetalHost& host) {
  const std::string* text = findAnnotation(host, api::annotation::hardwareDetails);
  if (text == nullptr) return std::nullopt;
  try {
    return parseHardware(*text);
  } catch (const std::exception& error) {
    return std::unexpected(std::string(error.what()));
  }
}

std::vector<std::string> invalidAnnotations(const api::BareMetalHost& host) {
  std::vector<std::string> texts;
  const auto& annotations = host.metadata.annotations;
  if (annotations.empty()) return texts;
  for (const std::string& name : rebootRequested(annotations, false).unreadable)
    texts.push_back(told({name, annotations.at(name), "counts as a soft reboot", rightReboot}));
  if (const std::string* detached = findAnnotation(host, api::annotation::detached))
    if (std::string problem = detachmentProblem(host, *detached); !problem.empty()) texts.push_back(std::move(problem));
  if (const auto hardware = hardwareDetailsIn(host); !hardware) {
    constexpr auto name = api::annotation::hardwareDetails;
    texts.push_back(told({name, *findAnnotation(host, name), "is ignored", rightHardware, hardware.error()}));
  }
  return texts;
}

void noteInvalidAnnotations(api::BareMetalHost& host, const std::string& shown, Journal& journal) {
  const auto texts = invalidAnnotations(host);
  if (texts.empty() || !host.status.errorMessage.empty()) return;  // it comes after what is wrong with the host
  showTrouble(host, texts.front());
  if (shown == texts.front()) return;
  for (const std::string& text : texts | std::views::take(mostTold)) journal.warning("InvalidAnnotationValue", text);
}

void refuseCarriedStatus(api::BareMetalHost& host, Journal& journal, Refusal refusal, const std::string& why) {
  constexpr auto name = api::annotation::status;
  constexpr auto effect = "holds the host back, lest a machine in use be taken for a new one";
  const std::string& value = *findAnnotation(host, name);
  const std::string text =
      (refusal == Refusal::byApi ? fmt::format("{}: {}; right would be {}", api::notTakenByApi(value), why, rightStatus)
                                 : told({name, value, effect, rightStatus, why})) +
      "; or remove it";
  if (host.status.errorMessage == text) return;
  host.status.errorMessage = text;
  journal.warning("InvalidAnnotationValue", text);
}

void giveUpCarriedStatus(api::BareMetalHost& host, Journal& journal, const std::string& why) {
  const std::string name(api::annotation::status);
  const auto annotation = host.metadata.annotations.extract(name);
  tellSkipped(journal, State::deprovisioning, State::deleting,
              fmt::format("the status that it carried in annotation {} could not be taken over (\"{}\": {})", name,
                          shortened(annotation.mapped()), why));
}

}  // namespace ingot::coordinator::host
