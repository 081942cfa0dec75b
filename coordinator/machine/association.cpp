#include "coordinator/machine/association.hpp"

#include "api/bmh/annotations.hpp"
#include "api/capm3/names.hpp"
#include "base/url_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ingot::coordinator::machine {

namespace {

using api::SecretReference;
namespace label = api::capm3::label;

void requireOwnNamespace(const SecretReference& secret, const Metal3Machine& machine, std::string_view what) {
  const std::string& own = machine.metadata.namespace_;
  if (secret.namespace_.empty() || secret.namespace_ == own) return;
  throw MachineError(Problem::foreignSecret,
                     fmt::format("cross-namespace secret reference is not allowed for {} (namespace \"{}\" does not "
                                 "match \"{}\")",
                                 what, secret.namespace_, own));
}

// The reference as the host has it: with a namespace, which is its own.
SecretReference onHost(const SecretReference& secret, const std::string& fallback, const BareMetalHost& host,
                       std::string_view what) {
  SecretReference out = secret;
  if (out.namespace_.empty()) out.namespace_ = fallback;
  if (out.namespace_ == host.metadata.namespace_) return out;
  throw MachineError(
      Problem::foreignSecret,
      fmt::format("cross-namespace secret reference is not allowed for {} on host {}", what, host.metadata.name));
}

// What the host had is kept when the machine brings nothing.
void writeData(std::optional<SecretReference>& onto, std::optional<SecretReference>& data, const BareMetalHost& host,
               const Metal3Machine& machine, std::string_view what) {
  if (data) onto = data;
  if (onto) onto = onHost(*onto, machine.metadata.namespace_, host, what);
  if (data) data = onto;
}

void consume(BareMetalHost& host, const Metal3Machine& machine) {
  host.spec.consumerRef = kube::ObjectReference{.kind = std::string(Metal3Machine::info.kind),
                                                .namespace_ = machine.metadata.namespace_,
                                                .name = machine.metadata.name,
                                                .apiVersion = Metal3Machine::info.apiVersion()};
  host.metadata.labels.erase(std::string(label::nodeReuse));
}

std::string toldMark(const BareMetalHost& host, const Metal3Machine& machine) {
  return fmt::format("{}/{}", machine.metadata.uid, host.spec.userData ? host.spec.userData->name : "");
}

void requireSomethingToRun(const Metal3Machine& machine) {
  if (!machine.spec.image.url.empty() || !machine.spec.customDeploy.method.empty()) return;
  throw MachineError(
      Problem::nothingToDeploy,
      fmt::format("Metal3Machine {} has neither Image.URL nor CustomDeploy.Method configured", machine.metadata.name));
}

// A host may name a machine of this name that went, or one that never told it what to run.
void requireOwnUserData(const BareMetalHost& host, const Metal3Machine& machine) {
  if (!machine.spec.providerID.empty() || machine.status.initialization.provisioned.value_or(false)) return;
  if (hasUserData(host, machine.status.userData)) return;
  throw MachineError(Problem::hostLost,
                     fmt::format("host {} has an image or a deploy step already, and not the user data of {}",
                                 host.metadata.name, machine.metadata.name));
}

void writeWhatToRun(BareMetalHost& host, Metal3Machine& machine) {
  requireSomethingToRun(machine);
  const auto& spec = machine.spec;
  if (!spec.image.url.empty())
    host.spec.image = api::Image{.url = spec.image.url,
                                 .checksum = spec.image.checksum.value_or(""),
                                 .checksumType = spec.image.checksumType,
                                 .format = spec.image.diskFormat};
  if (!spec.customDeploy.method.empty()) host.spec.customDeploy = api::CustomDeploy{.method = spec.customDeploy.method};
  auto& status = machine.status;
  status.userData = onHost(*status.userData, host.metadata.namespace_, host, "userData");
  host.spec.userData = status.userData;
  writeData(host.spec.metaData, status.metaData, host, machine, "metaData");
  writeData(host.spec.networkData, status.networkData, host, machine, "networkData");
  markTold(host, machine);
}

}  // namespace

std::optional<kube::ObjectKey> linkedHost(const Metal3Machine& machine) {
  const auto* link = machine.metadata.annotation(std::string(api::capm3::annotation::host));
  if (!link) return std::nullopt;
  const auto slash = link->find('/');
  if (slash == std::string::npos) return kube::ObjectKey{.namespace_ = "", .name = *link};
  if (link->find('/', slash + 1) != std::string::npos) return std::nullopt;
  return kube::ObjectKey{.namespace_ = link->substr(0, slash), .name = link->substr(slash + 1)};
}

void requireLink(const Metal3Machine& machine) {
  const auto* link = machine.metadata.annotation(std::string(api::capm3::annotation::host));
  if (link != nullptr && !linkedHost(machine))
    throw MachineError(Problem::hostLink, "unexpected key format: " + base::url_text::quoted(*link));
}

void linkHost(Metal3Machine& machine, const kube::ObjectKey& host) {
  machine.metadata.annotations[std::string(api::capm3::annotation::host)] = host.text();
}

void settleUserData(Metal3Machine& machine, const Machine& owner) {
  auto& settled = machine.status.userData;
  if (settled) return;
  if (machine.spec.userData) {
    requireOwnNamespace(*machine.spec.userData, machine, "userData");
    settled = machine.spec.userData;
  }
  const auto& bootstrap = owner.spec.bootstrap;
  if (bootstrap.dataSecretName)
    settled = SecretReference{.name = *bootstrap.dataSecretName, .namespace_ = owner.metadata.namespace_};
  else if (!bootstrap.configRef.name.empty())
    settled = SecretReference{.name = bootstrap.configRef.name, .namespace_ = owner.metadata.namespace_};
}

void settleGivenData(Metal3Machine& machine) {
  const auto settle = [&](auto& onto, const auto& given, std::string_view what) {
    if (!given) return;
    requireOwnNamespace(*given, machine, what);
    const bool isSettled = onto && onto->name == given->name && onto->namespace_ == machine.metadata.namespace_;
    if (!isSettled) onto = given;  // the host's has the namespace, if it was not given
  };
  settle(machine.status.metaData, machine.spec.metaData, "metaData");
  settle(machine.status.networkData, machine.spec.networkData, "networkData");
}

std::optional<SecretReference> userDataOf(Metal3Machine machine, const Machine& owner) {
  settleUserData(machine, owner);
  return machine.status.userData;
}

bool hasUserData(const BareMetalHost& host, const std::optional<SecretReference>& userData) {
  if (!userData || !host.spec.userData) return false;
  const auto spaceOf = [&host](const SecretReference& secret) {
    return secret.namespace_.empty() ? host.metadata.namespace_ : secret.namespace_;
  };
  return host.spec.userData->name == userData->name && spaceOf(*host.spec.userData) == spaceOf(*userData);
}

bool isOwnHost(const BareMetalHost& host, const Metal3Machine& machine) {
  const auto linked = linkedHost(machine);
  const bool isTold = host.spec.image || host.spec.customDeploy || host.spec.externallyProvisioned;
  return (linked && linked->name == host.metadata.name) || !isTold || hasUserData(host, machine.status.userData);
}

void markTold(BareMetalHost& host, const Metal3Machine& machine) {
  if (host.spec.image || host.spec.customDeploy) host.metadata.annotations[kToldBy] = toldMark(host, machine);
}

bool wasToldBy(const BareMetalHost& host, const Metal3Machine& machine) {
  const std::string* mark = host.metadata.annotation(kToldBy);
  return mark != nullptr && !machine.metadata.uid.empty() && *mark == toldMark(host, machine);
}

MachineError takenAway(const BareMetalHost& host, const std::optional<SecretReference>& userData) {
  const auto& consumer = host.spec.consumerRef;
  return {hasUserData(host, userData) ? Problem::hostLost : Problem::hostTaken,
          consumer ? fmt::format("host {} is used by {} {}/{}", host.metadata.name, consumer->kind,
                                 consumer->namespace_, consumer->name)
                   : fmt::format("host {} has no consumer any more, and may not be claimed again", host.metadata.name)};
}

void labelHost(BareMetalHost& host, const Machine& owner) {
  host.metadata.labels[std::string(label::clusterName)] = owner.spec.clusterName;
}

void claimHost(BareMetalHost& host, const Metal3Machine& machine, const Machine& owner) {
  requireSomethingToRun(machine);
  labelHost(host, owner);
  consume(host, machine);
  host.metadata.annotations.erase(kLetGoBy);
  if (!host.spec.image && !host.spec.customDeploy) host.metadata.annotations.erase(kToldBy);  // of an earlier life
}

void writeHost(BareMetalHost& host, Metal3Machine& machine) {
  consume(host, machine);
  const bool isTold = host.spec.image || host.spec.customDeploy;
  if (isTold) requireOwnUserData(host, machine);
  if (!isTold && machine.status.userData) writeWhatToRun(host, machine);
  if (const auto& mode = machine.spec.automatedCleaningMode; !mode.empty()) host.spec.automatedCleaningMode = mode;
  host.spec.online = true;
}

std::string troubleOf(const BareMetalHost& host) {
  const std::string& name = host.metadata.name;
  const auto& status = host.status;
  if (const auto* hold = api::findHold(host, api::kHolds))
    return fmt::format("host {} has the annotation {}", name, hold->annotation);
  if (host.metadata.beingDeleted()) return fmt::format("host {} is being deleted", name);
  if (status.errorMessage.empty()) return "";
  return status.errorType.empty() ? fmt::format("host {}: {}", name, status.errorMessage)
                                  : fmt::format("host {} has a {}: {}", name, status.errorType, status.errorMessage);
}

std::vector<api::capi::MachineAddress> nodeAddresses(const BareMetalHost& host) {
  constexpr std::size_t kMost = 32;  // of the schema
  std::vector<api::capi::MachineAddress> out;
  if (!host.status.hardware) return out;
  const auto& hardware = *host.status.hardware;
  // There is room for its names: a Node may be found by them (spec/capm3.md §13.2).
  const std::size_t names = hardware.hostname.empty() ? 0 : 2;
  for (const auto& nic : hardware.nics)
    if (!nic.ip.empty() && out.size() < kMost - names) out.push_back({.type = "InternalIP", .address = nic.ip});
  if (!hardware.hostname.empty())
    for (const char* type : {"Hostname", "InternalDNS"}) out.push_back({.type = type, .address = hardware.hostname});
  return out;
}

}  // namespace ingot::coordinator::machine
