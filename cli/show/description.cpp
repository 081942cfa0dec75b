#include "cli/show/description.hpp"

#include "bmc/model/capability.hpp"
#include "cli/decide/host_facts.hpp"
#include "cli/decide/why.hpp"
#include "cli/show/hardware.hpp"
#include "cli/show/sections.hpp"
#include "cli/words/duration.hpp"
#include "cli/words/power.hpp"

namespace ingot::cli {
namespace {

std::string stateAndStatus(const api::BareMetalHost& host) {
  const std::string state = host.status.provisioning.state.empty() ? "new" : host.status.provisioning.state;
  const std::string& operational = host.status.operationalStatus;
  return operational.empty() ? state : fmt::format("{} ({})", state, operational);
}

std::string bmcText(const api::BareMetalHost& host) {
  const auto& bmc = host.spec.bmc;
  if (!host.hasBmcDetails()) return "none";
  return fmt::format("{} (Secret {}, certificate {})", bmc.address, bmc.credentialsName,
                     bmc.disableCertificateVerification ? "not verified" : "verified");
}

// What nobody needs to ask its BMC for.
std::string missingText(const api::BareMetalHost& host) {
  if (!host.hasBmcDetails()) return "";
  try {
    return bmc::missingIn(bmc::parseAddress(host.spec.bmc.address).traits().protocol);
  } catch (const bmc::AddressError&) {  // the host's own error says so
    return "";
  }
}

std::string imageText(const api::Image& image) {
  if (image.url.empty()) return "";
  return fmt::format("{}{}", image.url, image.checksum.empty() ? "" : " (checksum " + image.checksum + ")");
}

std::string_view booterText(const api::BareMetalHost& host) {
  switch (booterOf(host)) {
    case Booter::nobodyAsked: return "";
    case Booter::agent: return ", from its live ISO by an agent (annotation ingot.dev/boot-by)";
    case Booter::ironicInstead: return ", by Ironic: annotation ingot.dev/boot-by counts for live ISOs only";
  }
  return "";
}

std::string bootText(const api::BareMetalHost& host) {
  return fmt::format("{}{}{}", host.effectiveBootMode(),
                     host.spec.bootMACAddress.empty() ? "" : ", MAC " + host.spec.bootMACAddress, booterText(host));
}

std::string errorText(const api::BareMetalHost& host) {
  const auto& status = host.status;
  return status.errorType.empty() ? "" : fmt::format("{}: {}", status.errorType, status.errorMessage);
}

std::string consumerText(const api::BareMetalHost& host) {
  if (!host.spec.consumerRef) return "";
  return fmt::format("{} {}/{}", host.spec.consumerRef->kind, host.spec.consumerRef->namespace_,
                     host.spec.consumerRef->name);
}

std::string factsOf(const api::BareMetalHost& host, base::WallTime now) {
  Facts facts;
  facts.add("Name", host.metadata.name);
  facts.add("Namespace", host.metadata.namespace_);
  facts.add("Age", ageText(host.metadata.creationTimestamp, now));
  facts.add("Description", host.spec.description);
  facts.add("State", stateAndStatus(host));
  facts.add("Error", errorText(host));
  facts.add("Power", powerSentence(host, now));
  facts.add("BMC", bmcText(host));
  facts.add("BMC has no", missingText(host));
  facts.add("Boot", bootText(host));
  facts.add("Consumer", consumerText(host));
  facts.add("Wanted image", host.spec.image ? imageText(*host.spec.image) : "");
  facts.add("Image", imageText(host.status.provisioning.image));
  facts.add("Ironic node", host.status.provisioning.ID);
  return facts.text();
}

std::string hardwareText(const api::HardwareDetails& hardware) { return "\nHardware:\n" + hardwareLines(hardware); }

}  // namespace

std::string describeHost(const HostPicture& picture, base::WallTime now) {
  const auto& host = picture.host;
  return trimmedLines(factsOf(host, now) + waitingText(whyWaiting(host, now)) +
                      (picture.hardware ? hardwareText(*picture.hardware) : "") +
                      conditionsText(host.status.conditions, now) + eventsText(picture.events, now));
}

}  // namespace ingot::cli
