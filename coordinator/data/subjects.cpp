#include "coordinator/data/subjects.hpp"

#include "api/capm3/host_link.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::data {
namespace {

bool uses(const Metal3Machine& metal, const kube::ObjectKey& dataTemplate) {
  const auto& wanted = metal.spec.dataTemplate;
  if (!wanted || wanted->name != dataTemplate.name) return false;
  return wanted->namespace_.empty() || wanted->namespace_ == dataTemplate.namespace_;
}

}  // namespace

Subjects::Template Subjects::templateFor(const Metal3Data& data) const {
  const auto key = templateOf(data);
  if (!key) throw Hindrance::problem("NoTemplate", "spec.template names no Metal3DataTemplate of this namespace");
  auto found = caches_.templates.find(*key);
  if (!found) throw Hindrance::late("TemplateMissing", textOfMissing(Metal3DataTemplate::info, key->name));
  return found;
}

Subjects::MetalMachine Subjects::metalMachineFor(const Metal3Data& data) const {
  const auto claimKey = claimOf(data);
  if (!claimKey) throw Hindrance::problem("NoClaim", "Metal3DataClaim name not set");
  const auto claim = caches_.claims.find(*claimKey);
  if (!claim) throw Hindrance::late("ClaimMissing", textOfMissing(Metal3DataClaim::info, claimKey->name));
  if (!isMadeFor(data, *claim))
    throw Hindrance::late("ClaimMissing",
                          fmt::format("Metal3DataClaim {} is another one than these data are of", claimKey->name));
  const auto key = ownerKey<Metal3Machine>(claim->metadata);
  if (!key) throw Hindrance::problem("ClaimWithoutMachine", "metal3Machine not found in owner references");
  auto metal = caches_.metalMachines.find(*key);
  if (!metal) throw Hindrance::wait("waiting for Metal3Machine " + key->name);
  const auto dataTemplate = templateOf(data);
  if (!dataTemplate || !uses(*metal, *dataTemplate))
    throw Hindrance::problem("TemplateNotUsed", "metal3Machine associated with Metal3DataTemplate is not found");
  return metal;
}

Subjects::OwnerMachine Subjects::machineFor(const Metal3Machine& metal) const {
  const auto key = ownerKey<Machine>(metal.metadata);
  auto machine = key ? caches_.machines.find(*key) : nullptr;
  if (!machine) throw Hindrance::wait("waiting for the Machine of Metal3Machine " + metal.metadata.name);
  return machine;
}

Subjects::Host Subjects::hostFor(const Metal3Machine& metal) const {
  const auto key = api::capm3::linkedHostOf(metal.metadata);
  auto host = key ? caches_.hosts.find(*key) : nullptr;
  if (!host) throw Hindrance::wait("waiting for BareMetalHost to become available");
  requireConsumedBy(*host, metal);
  return host;
}

bool Subjects::isTaken(const Metal3Data& data, const Metal3DataClaim& claim) const {
  const auto machine = machineOf(claim);
  if (!machine) return false;
  return caches_.metalMachines.isUnreadable(machine->key) ||
         isTakenBy(data, caches_.metalMachines.find(machine->key).get());
}

bool isConsumedBy(const api::BareMetalHost& host, const Metal3Machine& metal) {
  const auto& consumer = host.spec.consumerRef;
  if (!consumer || consumer->kind != Metal3Machine::info.kind || consumer->name != metal.metadata.name) return false;
  return consumer->namespace_.empty() || consumer->namespace_ == metal.metadata.namespace_;
}

void requireConsumedBy(const api::BareMetalHost& host, const Metal3Machine& metal) {
  if (isConsumedBy(host, metal)) return;
  throw Hindrance::late("HostNotOurs", fmt::format("BareMetalHost {} is not consumed by Metal3Machine {}",
                                                   host.metadata.name, metal.metadata.name));
}

}  // namespace ingot::coordinator::data
