#include "coordinator/data/controllers.hpp"

#include "api/capm3/names.hpp"
#include "coordinator/data/stray_claims.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::data {
namespace {

using api::BareMetalHost;
using api::capi::Cluster;
using Keys = std::vector<kube::ObjectKey>;

constexpr std::size_t kAtOnce = 64;
constexpr base::Backoff kBackoff{std::chrono::milliseconds(100), std::chrono::minutes(1)};

kube::CacheOptions renderedOnly(const ControllersWorld& world) {
  return {.namespaces = world.namespaces, .fieldSelector = fmt::format("type={}", api::capm3::kSecretType)};
}

kube::ControllerOptions named(const char* name, const ControllersWorld& world, const kube::Tuning& tuning) {
  return {.name = name,
          .concurrency = tuning.concurrency.value_or(kAtOnce),
          .backoff = kBackoff,
          .metrics = &world.page,
          .syncPeriod = tuning.syncPeriod};
}

Keys listOf(const std::optional<kube::ObjectKey>& key) { return key ? Keys{*key} : Keys{}; }

Keys dataOwning(const kube::ObjectMeta& metadata) { return listOf(ownerKey<Metal3Data>(metadata)); }

// What data may wait for, or are rendered with.
bool mattersToRendering(const BareMetalHost& before, const BareMetalHost& after) {
  return before.metadata.labels != after.metadata.labels || before.metadata.annotations != after.metadata.annotations ||
         before.spec.consumerRef != after.spec.consumerRef || before.spec.bootMACAddress != after.spec.bootMACAddress ||
         before.status.hardware != after.status.hardware;
}

template <class T>
bool metadataMatters(const T& before, const T& after) {
  kube::ObjectMeta same = before.metadata;
  same.resourceVersion = after.metadata.resourceVersion;
  return same != after.metadata;
}

template <class T>
bool never(const T&, const T&) {
  return false;
}

}  // namespace

// Looks after claims of one group that lost their data.
template <class Claim>
struct Controllers::Strays {
  Strays(Controllers& all, kube::Cache<Claim>& claims, const ControllersWorld& world, const char* name)
      : held(claims,
             [](const Claim& claim) {
               if (!StrayClaims<Claim>::isHeld(claim)) return Keys{};
               Keys keys = dataOwning(claim.metadata);
               return keys.empty() ? formerOwners(claim) : keys;
             }),
        reconciler({world.client, claims, all.events_}, all.gate_, all.caches_.data),
        controller(all.runtime_, {.name = name, .backoff = kBackoff, .metrics = &world.page}, reconciler) {
    controller.template watchMain<Claim>(claims, [](const Claim& before, const Claim& after) {
      return StrayClaims<Claim>::isHeld(before) != StrayClaims<Claim>::isHeld(after);
    });
    controller.template watch<Metal3Data>(
        all.caches_.data, [this](const Metal3Data& data) { return held.copy(data.metadata.key()); }, never<Metal3Data>);
  }

  kube::Index<Claim> held;  // by their data
  StrayClaims<Claim> reconciler;
  kube::Controller controller;
};

Controllers::Controllers(base::Runtime runtime, ControllersWorld world)
    : runtime_(runtime.named("data")),
      caches_(world.caches),
      addressCaches_(world.addresses),
      secrets_(runtime_, world.client.api(), renderedOnly(world)),
      claimsOfTemplate_(caches_.dataClaims, [](const Metal3DataClaim& claim) { return listOf(templateOf(claim)); }),
      claimsOfCluster_(caches_.dataClaims,
                       [](const Metal3DataClaim& claim) { return listOf(clusterOf(claim.metadata)); }),
      claimsOfMachine_(caches_.dataClaims,
                       [](const Metal3DataClaim& claim) {
                         const auto machine = machineOf(claim);
                         return machine ? Keys{machine->key} : Keys{};
                       }),
      dataOfTemplate_(caches_.data, [](const Metal3Data& data) { return listOf(templateOf(data)); }),
      dataOfClaim_(caches_.data, [](const Metal3Data& data) { return listOf(claimOf(data)); }),
      dataOfCluster_(caches_.data, [](const Metal3Data& data) { return listOf(clusterOf(data.metadata)); }),
      dataOfSecret_(caches_.data, secretsNamedBy),
      indexes_(caches_.data),
      events_(runtime_, world.client,
              {.component = "metal3-data-controller",
               .reportingComponent = "metal3.io/data-controller",
               .reportingInstance = "ingot-coordinator"}),
      gate_(caches_.clusters, world.watchFilter),
      unseenClusters_(runtime_.clock, world.client, caches_.clusters),
      addresses_(runtime_, world.client, world.addresses, caches_.clusters, world.addressClaims,
                 world.addresses.allPools),
      renderedSecrets_(world.client, secrets_),
      templateReconciler_(runtime_, {world.client, caches_.dataTemplates, events_},
                          {.gate = gate_,
                           .claims = caches_.dataClaims,
                           .claimsOf = claimsOfTemplate_,
                           .data = caches_.data,
                           .dataOf = dataOfTemplate_}),
      claimReconciler_(runtime_, {world.client, caches_.dataClaims, events_},
                       {.gate = gate_,
                        .unseenClusters = unseenClusters_,
                        .templates = caches_.dataTemplates,
                        .data = caches_.data,
                        .dataOf = dataOfClaim_,
                        .metalMachines = caches_.metalMachines,
                        .indexes = indexes_}),
      dataReconciler_(runtime_, {world.client, caches_.data, events_},
                      {.gate = gate_,
                       .clusters = caches_.clusters,
                       .claims = caches_.dataClaims,
                       .subjects = Subjects({caches_.dataTemplates, caches_.dataClaims, caches_.metalMachines,
                                             caches_.machines, caches_.hosts}),
                       .addresses = addresses_,
                       .secrets = renderedSecrets_}),
      templateController_(runtime_, named("metal3datatemplate", world, world.templateTuning), templateReconciler_),
      claimController_(runtime_, named("metal3dataclaim", world, world.templateTuning), claimReconciler_),
      dataController_(runtime_, named("metal3data", world, world.dataTuning), dataReconciler_),
      strays_(std::make_unique<Strays<IPClaim>>(*this, addressCaches_.claims, world, "metal3data-ipclaims")),
      capiStrays_(std::make_unique<Strays<IPAddressClaim>>(*this, addressCaches_.capiClaims, world,
                                                           "metal3data-ipaddressclaims")) {
  watchForTemplates();
  watchForClaims();
  watchForData();
}

Controllers::~Controllers() = default;

void Controllers::watchForTemplates() {
  templateController_.watchMain<Metal3DataTemplate>(caches_.dataTemplates, mattersToTemplate);
  templateController_.watch<Metal3DataClaim>(
      caches_.dataClaims,
      [this](const Metal3DataClaim& claim) {
        const auto key = templateOf(claim);
        const auto dataTemplate = key ? caches_.dataTemplates.find(*key) : nullptr;
        return dataTemplate && dataTemplate->metadata.beingDeleted() ? Keys{*key} : Keys{};
      },
      never<Metal3DataClaim>);
  // What a template shows follows its data, and no pass is made for what may not be shown yet.
  subscriptions_.push_back(caches_.data.listen([this](const kube::Cache<Metal3Data>::Change& change) {
    if (change.before && change.after && change.before->spec == change.after->spec) return;
    const auto priority = change.backlog ? kube::Priority::backlog : kube::Priority::change;
    for (const auto& data : {change.before, change.after})
      if (const auto key = data ? templateOf(*data) : std::nullopt)
        templateController_.queue().add(*key, priority, untilShown(*key));
  }));
}

// One that goes waits for its last data, and not until it may show that.
base::Duration Controllers::untilShown(const kube::ObjectKey& key) const {
  const auto dataTemplate = caches_.dataTemplates.find(key);
  if (dataTemplate && dataTemplate->metadata.beingDeleted()) return {};
  return templateReconciler_.untilPublication(key);
}

void Controllers::watchForClaims() {
  claimController_.watchMain<Metal3DataClaim>(caches_.dataClaims, mattersToClaim);
  claimController_.watch<Metal3DataTemplate>(
      caches_.dataTemplates,
      [this](const Metal3DataTemplate& dataTemplate) {
        return openClaims(claimsOfTemplate_.find(dataTemplate.metadata.key()));
      },
      metadataMatters<Metal3DataTemplate>);
  claimController_.watch<Cluster>(
      caches_.clusters,
      [this](const Cluster& cluster) { return openClaims(claimsOfCluster_.find(cluster.metadata.key())); },
      api::capi::pausedOtherwise);
  // Data that are lost, or one too many.
  claimController_.watch<Metal3Data>(
      caches_.data, [](const Metal3Data& data) { return listOf(claimOf(data)); }, never<Metal3Data>);
  claimController_.watch<Metal3Machine>(
      caches_.metalMachines,
      [this](const Metal3Machine& metal) {
        Keys keys = claimsOfMachine_.copy(metal.metadata.key());
        std::erase_if(keys, [this](const auto& key) { return !caches_.dataClaims.find(key)->metadata.beingDeleted(); });
        return keys;
      },
      never<Metal3Machine>);
}

void Controllers::watchForData() {
  dataController_.watchMain<Metal3Data>(caches_.data, mattersToData);
  dataController_.watch<Metal3DataTemplate>(
      caches_.dataTemplates,
      [this](const Metal3DataTemplate& dataTemplate) {
        return openOf(dataOfTemplate_.find(dataTemplate.metadata.key()));
      },
      never<Metal3DataTemplate>);
  dataController_.watch<Metal3DataClaim>(
      caches_.dataClaims,
      [this](const Metal3DataClaim& claim) { return openOf(dataOfClaim_.find(claim.metadata.key())); },
      metadataMatters<Metal3DataClaim>);
  // A claim that has other data by now lets these go.
  subscriptions_.push_back(caches_.dataClaims.listen([this](const kube::Cache<Metal3DataClaim>::Change& change) {
    if (!change.before || !change.after || renderedName(*change.before) == renderedName(*change.after)) return;
    for (const auto& key : dataOfClaim_.find(change.key))
      if (const auto data = caches_.data.find(key); data && data->metadata.beingDeleted())
        dataController_.queue().add(key);
  }));
  dataController_.watch<Cluster>(
      caches_.clusters, [this](const Cluster& cluster) { return dataOfCluster_.copy(cluster.metadata.key()); },
      api::capi::pausedOtherwise);
  dataController_.watch<Metal3Machine>(
      caches_.metalMachines, [this](const Metal3Machine& metal) { return openOfMachine(metal.metadata.key()); },
      metadataMatters<Metal3Machine>);
  dataController_.watch<Machine>(
      caches_.machines,
      [this](const Machine& machine) {
        return openOfMachine({machine.metadata.namespace_, machine.spec.infrastructureRef.name});
      },
      metadataMatters<Machine>);
  dataController_.watch<BareMetalHost>(
      caches_.hosts, [this](const BareMetalHost& host) { return openOfHost(host); }, mattersToRendering);
  watchAddresses<IPClaim>(addressCaches_.claims, addressCaches_.addresses);
  watchAddresses<IPAddressClaim>(addressCaches_.capiClaims, addressCaches_.capiAddresses);
  // A Secret that goes is made again, or makes room.
  subscriptions_.push_back(secrets_.listen([this](const kube::Cache<SecretHeader>::Change& change) {
    if (change.after) return;
    for (const auto& key : dataOfSecret_.copy(change.key)) dataController_.queue().add(key);
  }));
}

template <class Claim>
void Controllers::watchAddresses(kube::Cache<Claim>& claims,
                                 kube::Cache<typename ClaimKind<Claim>::Address>& addresses) {
  using Address = typename ClaimKind<Claim>::Address;
  dataController_.watch<Claim>(claims, [this](const Claim& claim) { return waitingFor(claim); });
  subscriptions_.push_back(addressCaches_.waits.onNews([this, &claims](const ClaimWaits::Claim& news) {
    const auto claim = news.first == Claim::info.kind ? claims.find(news.second) : nullptr;
    if (!claim) return;
    for (const auto& key : waitingFor(*claim)) dataController_.queue().add(key);
  }));
  dataController_.watch<Address>(
      addresses,
      [this, &claims](const Address& address) {
        const auto claim = claims.find({address.metadata.namespace_, ClaimKind<Claim>::claimNameIn(address)});
        const auto owner = claim ? ownerKey<Metal3Data>(claim->metadata) : std::nullopt;
        return owner ? openOf({*owner}) : Keys{};
      },
      metadataMatters<Address>);
}

template <class Claim>
Keys Controllers::waitingFor(const Claim& claim) const {
  std::set<kube::ObjectKey> data;
  if (const auto owner = ownerKey<Metal3Data>(claim.metadata)) data.insert(*owner);
  const kube::ObjectKey namesake{claim.metadata.namespace_, namesakeOf(claim)};
  data.insert(namesake);
  Keys keys = openOf(data);
  if (const auto host = caches_.hosts.find(namesake)) std::ranges::copy(openOfHost(*host), std::back_inserter(keys));
  return keys;
}

Keys Controllers::openClaims(const std::set<kube::ObjectKey>& claims) const {
  Keys keys;
  std::ranges::copy_if(claims, std::back_inserter(keys), [this](const kube::ObjectKey& key) {
    const auto claim = caches_.dataClaims.find(key);
    return claim && !isSettled(*claim, caches_.data);
  });
  return keys;
}

Keys Controllers::openOf(const std::set<kube::ObjectKey>& data) const {
  Keys keys;
  for (const auto& key : data)
    if (const auto found = caches_.data.find(key))
      if (found->metadata.beingDeleted() || !found->status.ready.value_or(false)) keys.push_back(key);
  return keys;
}

Keys Controllers::openOfMachine(const kube::ObjectKey& metalMachine) const {
  Keys keys;
  for (const auto& claim : claimsOfMachine_.find(metalMachine))
    std::ranges::copy(openOf(dataOfClaim_.find(claim)), std::back_inserter(keys));
  return keys;
}

Keys Controllers::openOfHost(const BareMetalHost& host) const {
  const auto& consumer = host.spec.consumerRef;
  if (!consumer || consumer->kind != Metal3Machine::info.kind) return {};
  return openOfMachine({host.metadata.namespace_, consumer->name});
}

base::Task<void> Controllers::run(kube::Controller& controller) {
  for (kube::CacheBase* cache : std::initializer_list<kube::CacheBase*>{
           &caches_.clusters, &caches_.dataTemplates, &caches_.dataClaims, &caches_.data, &caches_.metalMachines,
           &caches_.machines, &secrets_, &addressCaches_.claims, &addressCaches_.addresses, &addressCaches_.capiClaims,
           &addressCaches_.capiAddresses})
    co_await cache->synced();
  co_await controller.run();
}

std::vector<kube::Managed> Controllers::managed() {
  const auto entry = [this](std::string name, std::vector<kube::CacheBase*> caches, kube::Controller& controller) {
    return kube::Managed{
        .name = std::move(name), .caches = std::move(caches), .recorders = {&events_}, .run = [this, &controller] {
          return run(controller);
        }};
  };
  return {
      entry("metal3datatemplate", {&caches_.dataTemplates, &caches_.dataClaims, &caches_.data}, templateController_),
      entry("metal3dataclaim", {&caches_.clusters, &caches_.metalMachines}, claimController_),
      entry("metal3data", {&caches_.hosts, &caches_.machines, &secrets_}, dataController_),
      entry("ipclaims of metal3data", {&addressCaches_.pools, &addressCaches_.claims, &addressCaches_.addresses},
            strays_->controller),
      entry("ipaddressclaims of metal3data", {&addressCaches_.capiClaims, &addressCaches_.capiAddresses},
            capiStrays_->controller)};
}

}  // namespace ingot::coordinator::data
