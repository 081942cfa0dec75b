#include "coordinator/agents/erasure_certificate.hpp"

#include "base/cut_text.hpp"
#include "json/describe.hpp"

#include <fmt/ranges.h>

namespace ingot::coordinator::agents {

namespace {

constexpr std::size_t mostNamed = 8;          // drives in a summary
constexpr std::size_t longestDetail = 100;    // of a step in a summary: the whole is in the certificate
constexpr std::size_t longestHostName = 180;  // of it in the name of the ConfigMap
constexpr std::string_view technique = "Redfish Drive.SecureErase";

struct Medium {
  std::string manufacturer, model, serialNumber, type;
  std::int64_t capacityBytes = 0;
  std::string sanitization;  // Purge | Clear | none
  std::string method, tool, verification, notes;
  bool verified = false;
  std::optional<base::WallTime> startedAt, completedAt;

  static void describe(auto& v) {
    v.field("manufacturer", &Medium::manufacturer);
    v.field("model", &Medium::model);
    v.field("serialNumber", &Medium::serialNumber);
    v.field("mediaType", &Medium::type);
    v.field("capacityBytes", &Medium::capacityBytes);
    v.field("sanitization", &Medium::sanitization);
    v.field("method", &Medium::method);
    v.field("tool", &Medium::tool);
    v.field("verified", &Medium::verified).always();
    v.field("verification", &Medium::verification);
    v.field("notes", &Medium::notes);
    v.field("startedAt", &Medium::startedAt);
    v.field("completedAt", &Medium::completedAt);
  }
};

struct Machine {
  std::string manufacturer, model, serialNumber, systemUuid, bmcFirmware;
  static void describe(auto& v) {
    v.field("manufacturer", &Machine::manufacturer);
    v.field("model", &Machine::model);
    v.field("serialNumber", &Machine::serialNumber);
    v.field("systemUUID", &Machine::systemUuid);
    v.field("bmcFirmware", &Machine::bmcFirmware);
  }
};

struct Certificate {
  std::string standard = "NIST SP 800-88 Rev. 1";
  std::string host, hostUid, job;
  Machine source;
  std::string performedBy, software;
  std::optional<base::WallTime> startedAt, completedAt;
  std::vector<Medium> media;
  std::vector<bmc::StepRecord> steps;

  static void describe(auto& v) {
    v.field("standard", &Certificate::standard);
    v.field("host", &Certificate::host);
    v.field("hostUID", &Certificate::hostUid);
    v.field("job", &Certificate::job);
    v.field("source", &Certificate::source);
    v.field("performedBy", &Certificate::performedBy);
    v.field("software", &Certificate::software);
    v.field("startedAt", &Certificate::startedAt);
    v.field("completedAt", &Certificate::completedAt);
    v.field("media", &Certificate::media);
    v.field("steps", &Certificate::steps);
  }
};

bool isKept(const bmc::DriveErasure& drive) { return drive.state == toText(bmc::ErasureState::kept); }

// An overwriting that the drive or its controller does as it likes is no more than Clear.
std::string_view sanitizationOf(const bmc::DriveErasure& drive) {
  if (isKept(drive)) return "none";
  const bool isPurge =
      drive.method == toText(bmc::EraseMethod::cryptographic) || drive.method == toText(bmc::EraseMethod::block);
  return isPurge ? "Purge" : "Clear";
}

Medium mediumOf(const bmc::DriveErasure& drive) {
  Medium medium{.manufacturer = drive.vendor,
                .model = drive.model,
                .serialNumber = drive.serialNumber,
                .type = drive.kind,
                .capacityBytes = drive.bytes,
                .sanitization = std::string(sanitizationOf(drive))};
  if (isKept(drive)) {
    medium.notes = "kept as it is: the host's annotation says so";
    if (!drive.verification.empty()) medium.notes += "; " + drive.verification;
    return medium;
  }
  const bool isNamed = drive.method != toText(bmc::EraseMethod::unnamed);
  medium.method = isNamed ? drive.method : "as the BMC does it, which it does not say";
  medium.tool = technique;
  medium.verified = drive.verified;
  medium.verification = drive.verification;
  medium.startedAt = drive.startedAt;
  medium.completedAt = drive.endedAt;
  return medium;
}

// A name of DNS that ends as one must.
std::string nameFor(const api::BareMetalHost& host, const std::string& job) {
  auto name = host.metadata.name.substr(0, longestHostName);
  while (!name.empty() && std::isalnum(static_cast<unsigned char>(name.back())) == 0) name.pop_back();
  return fmt::format("{}-erasure-{}", name, job);
}

}  // namespace

kube::ConfigMap certificateOf(const api::BareMetalHost& host, const CertifiedErasure& erasure) {
  const auto& report = erasure.report;
  Certificate certificate{
      .host = fmt::format("{}/{}", host.metadata.namespace_, host.metadata.name),
      .hostUid = host.metadata.uid,
      .job = report.job,
      .source = {report.manufacturer, report.model, report.serialNumber, report.systemUuid, report.bmcFirmware},
      .performedBy = "ingot-agent " + erasure.agent,
      .software = "ingot-agent " + erasure.software,
  };
  for (const auto& drive : report.drives) {
    certificate.media.push_back(mediumOf(drive));
    const auto& medium = certificate.media.back();
    if (medium.startedAt && (!certificate.startedAt || *medium.startedAt < *certificate.startedAt))
      certificate.startedAt = medium.startedAt;
    if (medium.completedAt && (!certificate.completedAt || *medium.completedAt > *certificate.completedAt))
      certificate.completedAt = medium.completedAt;
  }
  certificate.steps = report.steps;
  kube::ConfigMap map;
  map.metadata.namespace_ = host.metadata.namespace_;
  map.metadata.name = nameFor(host, report.job);
  map.metadata.labels = {{"ingot.dev/certificate", "erasure"}, {"ingot.dev/host-uid", host.metadata.uid}};
  map.data["certificate.json"] = json::serializePretty(json::encode(certificate));
  map.immutable = true;
  return map;
}

std::string summaryOf(const wire::EraseReport& report) {
  std::vector<std::string> erased, kept;
  for (const auto& drive : report.drives)
    if (isKept(drive))
      kept.push_back(drive.serialNumber);
    else
      erased.push_back(
          fmt::format("{} ({}{})", drive.serialNumber, drive.method, drive.verified ? "" : ", unverified"));
  const auto count = erased.size();
  const auto listed = [](std::vector<std::string>& names) {
    if (const auto all = names.size(); all > mostNamed) {
      names.resize(mostNamed);
      names.push_back(fmt::format("and {} more", all - mostNamed));
    }
    return fmt::format("{}", fmt::join(names, ", "));
  };
  std::string text = count == 0 ? "no drive was to be erased"
                                : fmt::format("{} drive{} erased: {}", count, count == 1 ? "" : "s", listed(erased));
  if (!kept.empty()) text += fmt::format("; kept: {}", listed(kept));
  for (const auto& step : report.steps)
    text += step.outcome == toText(bmc::StepOutcome::done)
                ? fmt::format("; {}", step.step)
                : fmt::format("; {} {}: {}", step.step, step.outcome, base::cutText(step.detail, longestDetail));
  return text;
}

}  // namespace ingot::coordinator::agents
