// The only place that names concrete types.
#include "coordinator/wiring.hpp"

#include "api/bmh/carried_term.hpp"
#include "base/vital.hpp"
#include "coordinator/agents/elsewhere.hpp"
#include "coordinator/agents/lease_record.hpp"
#include "coordinator/agents/team.hpp"
#include "coordinator/caches/caches.hpp"
#include "coordinator/cluster/controllers.hpp"
#include "coordinator/data/controllers.hpp"
#include "coordinator/host/controller.hpp"
#include "coordinator/host/fixture/fixture.hpp"
#include "coordinator/host/ironic/factory.hpp"
#include "coordinator/host_move/controllers.hpp"
#include "coordinator/ipam/controllers.hpp"
#include "coordinator/label_sync/controllers.hpp"
#include "coordinator/machine/controllers.hpp"
#include "coordinator/machine_template/controllers.hpp"
#include "coordinator/migration/migrator.hpp"
#include "coordinator/own_calls.hpp"
#include "coordinator/remediation/controllers.hpp"
#include "coordinator/webhooks/paths.hpp"

#include <set>

namespace ingot::coordinator {
namespace {

namespace ironic_backend = host::ironic_backend;

std::unique_ptr<ironic_backend::IronicFactory> makeIronic(const Leadership& lead) {
  if (lead.options.provisioner != Backend::ironic) return nullptr;
  auto factory = std::make_unique<ironic_backend::IronicFactory>(lead.runtime.named("ironic"), lead.transport,
                                                                 ironic::settingsFrom(lead.environment),
                                                                 ironic_backend::settingsFrom(lead.environment));
  factory->showAt(lead.metrics);
  return factory;
}

struct OpenedLink {
  std::unique_ptr<wire::CoordinatorLink> link;
  wire::KeyPair keys;
};

// Each has its series from the start: a flood that begins is seen as a rise.
wire::CountTurnedAway countedAt(base::Metrics& metrics) {
  using enum wire::TurnedAway;
  static constexpr std::pair<wire::TurnedAway, const char*> reasons[] = {{tooOften, "too_often"},
                                                                         {full, "full"},
                                                                         {crowded, "crowded"},
                                                                         {sharedKey, "shared_key"},
                                                                         {endlessMessage, "endless_message"},
                                                                         {noKeyInTime, "no_key_in_time"}};
  std::map<wire::TurnedAway, base::Counter*> counters;
  for (const auto& [why, text] : reasons)
    counters[why] =
        &metrics.counter("ingot_link_connections_turned_away_total",
                         "Connections to the port for agents that were refused or closed, by why", {{"why", text}});
  return [counters](wire::TurnedAway why) { counters.at(why)->add(); };
}

base::Task<OpenedLink> openLink(Leadership& lead) {
  if (!lead.bindLink) co_return OpenedLink{};
  const auto keys = co_await agents::coordinatorKeys(lead.runtime.named("link"), lead.client, lead.options.dataDir,
                                                     lead.ownNamespace);
  auto link = lead.bindLink(lead.runtime.named("link"), {.endpoint = lead.options.agentsEndpoint,
                                                         .keys = keys,
                                                         .waitsForJudge = true,
                                                         .turnedAway = countedAt(lead.metrics)});
  lead.runtime.log.info(
      "waiting for agents",
      {{"endpoint", link->endpoint()}, {"key", keys.publicKey}, {"fingerprint", wire::fingerprint(keys.publicKey)}});
  co_return OpenedLink{.link = std::move(link), .keys = keys};
}

// nullptr: hosts, and the agents that serve them, are this process's, or their term goes nowhere.
std::unique_ptr<agents::Elsewhere> elsewhereOf(const Leadership& lead, const Parts& parts) {
  const bool isOne = parts.contains(Part::machine) && !parts.contains(Part::host) && !lead.options.shadow;
  return isOne ? std::make_unique<agents::Elsewhere>(lead.runtime, lead.client.api()) : nullptr;
}

// What hosts that are about to be moved say of the agents here.
api::Carrying carryingOf(const Leadership& lead, const OpenedLink& opened, agents::Elsewhere* elsewhere) {
  if (elsewhere != nullptr) return api::Carrying([elsewhere] { return elsewhere->serveHosts(); });
  if (!opened.link) return {};
  return {api::CarriedTerm::of(lead.term, lead.lease), api::TermSeal(opened.keys.secretKey)};
}

std::vector<const kube::CacheBase*> cachesOf(const std::vector<kube::Managed>& controllers) {
  std::set<const kube::CacheBase*> caches;
  for (const auto& controller : controllers) caches.insert(controller.caches.begin(), controller.caches.end());
  return {caches.begin(), caches.end()};
}

// Hosts have no such period: they are looked at each minute anyway.
kube::Tuning tuned(const Leadership& lead, Concurrency::Workers Concurrency::* workers) {
  return {.concurrency = lead.options.concurrency.*workers,
          .syncPeriod = lead.options.syncPeriod.value_or(base::Duration::zero())};
}

// The controller of BareMetalHosts, with those who do its work.
struct Hosts {
  Hosts(Leadership& lead, Caches& caches, OpenedLink agents, api::Carrying carrying)
      : caches(caches),
        secretUsers(caches.hosts, host::secretsNamedBy),
        events(lead.runtime.named("events"), lead.clientFor(Part::host),
               {.component = "metal3-baremetal-controller",
                .reportingComponent = "metal3.io/baremetal-controller",
                .reportingInstance = "ingot-coordinator"}),
        ironic(makeIronic(lead)),
        agentsOnly(lead.options.provisioner == Backend::agent),
        link(std::move(agents.link)),
        team(makeTeam(lead, std::move(agents.keys), std::move(carrying))),
        metrics(lead.metrics),
        controller(lead.runtime,
                   {lead.clientFor(Part::host),
                    caches.hosts,
                    caches.secrets,
                    caches.hardware,
                    secretUsers,
                    backend(),
                    power(),
                    events,
                    metrics,
                    {.maxProvisioningRetries = lead.options.maxProvisioningRetries},
                    &lead.metrics,
                    team ? &team->inspection() : nullptr,
                    team && ironic ? &team->cleaning() : nullptr,
                    team && ironic ? &team->liveBoot() : nullptr,
                    team ? &team->health() : nullptr},
                   lead.options.concurrency.hosts.value_or(host::kHostsAtOnce)) {}

  void start(base::VitalTasks& tasks) {
    if (ironic) tasks.spawn("ironic sweep", ironic->run());
    if (team) team->start(tasks);
  }

  std::vector<kube::Managed> managed() {
    return {{.name = "host",
             .caches = {&caches.hosts, &caches.secrets, &caches.hardware},
             .recorders = {&events},
             .run = [this] { return controller.run(); }}};
  }

  host::ProvisionerFactory& backend() {
    if (ironic) return *ironic;
    if (team && agentsOnly) return team->provisioner();
    return fixture;
  }
  host::PowerActor& power() {
    if (team) return team->power();
    return backendPower;
  }

  remediation::AgentReadings readings() {
    if (!team) return {};
    return [this](const api::BareMetalHost& host) -> std::optional<remediation::AgentReading> {
      const auto last = team->lastReading(host.metadata.uid);
      if (!last) return std::nullopt;
      return remediation::AgentReading{.power = last->power, .at = last->at};
    };
  }

  static std::optional<std::string> keysNamespaceOf(const Leadership& lead) {
    return lead.options.dataDir.empty() ? std::optional(lead.ownNamespace) : std::nullopt;
  }

  std::unique_ptr<agents::Team> makeTeam(Leadership& lead, wire::KeyPair keys, api::Carrying carrying) {
    if (!link) return nullptr;
    return std::make_unique<agents::Team>(
        agents::TeamWorld{.runtime = lead.runtime,
                          .client = lead.client,
                          .hosts = caches.hosts,
                          .secrets = caches.secrets,
                          .secretUsers = secretUsers,
                          .events = events,
                          .link = *link,
                          .ironic = ironic.get(),
                          .wake = [this](const kube::ObjectKey& key) { controller.wake(key); },
                          .term = lead.term,
                          .carrying = std::move(carrying),
                          .timing = agents::timingFor({.power = lead.options.powerPollSeconds,
                                                       .health = lead.options.healthPollSeconds,
                                                       .sensors = lead.options.sensorPollSeconds,
                                                       .logs = lead.options.logPollSeconds,
                                                       .inventory = lead.options.inventoryPollSeconds}),
                          .readings = readingBook.get(),
                          .logs = logBook.get(),
                          .hardware = hardwareBook.get(),
                          .unreadable = lead.unreadable,
                          .agentsOnly = agentsOnly,
                          .keys = std::move(keys),
                          .keysNamespace = keysNamespaceOf(lead)});
  }

  Caches& caches;
  host::SecretUsers secretUsers;
  std::shared_ptr<agents::ReadingBook> readingBook = std::make_shared<agents::ReadingBook>();
  std::shared_ptr<agents::LogBook> logBook = std::make_shared<agents::LogBook>();
  std::shared_ptr<agents::HardwareBook> hardwareBook = std::make_shared<agents::HardwareBook>();
  kube::EventRecorder events;
  std::unique_ptr<ironic_backend::IronicFactory> ironic;  // one of the two backends
  bool agentsOnly;
  host::FixtureFactory fixture;
  host::ProvisionerPower backendPower;
  std::unique_ptr<wire::CoordinatorLink> link;
  std::unique_ptr<agents::Team> team;  // with a link
  host::Metrics metrics;
  host::HostController controller;
};

// Everything that lives as long as one term. Members are destroyed after their tasks have ended.
struct Term {
  Term(Leadership& lead, const Parts& parts, OpenedLink agents)
      : caches(lead.runtime, lead.client, {.namespaces = namespacesOf(lead.options), .unreadable = lead.unreadable}),
        addresses(lead.runtime, lead.client, {.namespaces = namespacesOf(lead.options), .unreadable = lead.unreadable},
                  lead.options.watchFilter),
        workloadClusters(
            lead.runtime, lead.client.api(), lead.transport,
            {.requestRate = rateOf(lead.options.workloadClusters), .page = &lead.metrics, .calls = ownCalls()}),
        leavingClusters(workloadClusters.endWith(caches.clusters)),
        agentsElsewhere(elsewhereOf(lead, parts)),
        carrying(carryingOf(lead, agents, agentsElsewhere.get())) {
    if (parts.contains(Part::host)) hosts.emplace(lead, caches, std::move(agents), carrying);
    if (parts.contains(Part::ipam)) makeIpam(lead);
    if (parts.contains(Part::data)) makeData(lead);
    makeProvider(lead, parts);
    if (migratesKinds(lead.options))
      migrator.emplace(lead.runtime.named("migration"), lead.client,
                       migration::MigratorOptions{.definitions = webhooks::convertedDefinitions(),
                                                  .phases = lead.options.migration});
  }

  void makeIpam(Leadership& lead) {
    ipam.emplace(
        lead.runtime,
        ipam::IpamWorld{.client = lead.clientFor(Part::ipam),
                        .page = lead.metrics,
                        .clusters = caches.clusters,
                        .addresses = addresses,
                        .retry = lead.options.retryRefusedClaims ? ipam::Retry::forLackOfAddresses : ipam::Retry::never,
                        .tuning = tuned(lead, &Concurrency::pools)});
  }

  void makeData(Leadership& lead) {
    machineData.emplace(lead.runtime,
                        data::ControllersWorld{
                            .client = lead.clientFor(Part::data),
                            .page = lead.metrics,
                            .caches = caches,
                            .addresses = addresses,
                            .namespaces = namespacesOf(lead.options),
                            .watchFilter = lead.options.watchFilter,
                            .addressClaims = lead.options.claimsNamedByHost ? data::NamedBy::host : data::NamedBy::data,
                            .templateTuning = tuned(lead, &Concurrency::dataTemplates),
                            .dataTuning = tuned(lead, &Concurrency::data)});
  }

  void makeProvider(Leadership& lead, const Parts& parts) {
    const std::string& filter = lead.options.watchFilter;
    if (parts.contains(Part::cluster))
      metalClusters.emplace(lead.runtime, cluster::ControllersWorld{.client = lead.clientFor(Part::cluster),
                                                                    .page = lead.metrics,
                                                                    .caches = caches,
                                                                    .watchFilter = filter,
                                                                    .tuning = tuned(lead, &Concurrency::clusters)});
    if (parts.contains(Part::machine))
      metalMachines.emplace(lead.runtime,
                            machine::ControllersWorld{.client = lead.clientFor(Part::machine),
                                                      .page = lead.metrics,
                                                      .caches = caches,
                                                      .nodes = workloadClusters,
                                                      .watchFilter = filter,
                                                      .fastTrack = lead.environment("CAPM3_FAST_TRACK") == "true",
                                                      .carrying = carrying,
                                                      .tuning = tuned(lead, &Concurrency::machines)});
    if (parts.contains(Part::machine))
      hostMoves.emplace(
          lead.runtime,
          host_move::ControllersWorld{
              .client = lead.clientFor(Part::machine), .page = lead.metrics, .caches = caches, .carrying = carrying});
    if (parts.contains(Part::machineTemplate))
      machineTemplates.emplace(
          lead.runtime, machine_template::ControllersWorld{.client = lead.clientFor(Part::machineTemplate),
                                                           .page = lead.metrics,
                                                           .caches = caches,
                                                           .watchFilter = filter,
                                                           .tuning = tuned(lead, &Concurrency::machineTemplates)});
    if (parts.contains(Part::labelSync))
      nodeLabels.emplace(lead.runtime, label_sync::ControllersWorld{.client = lead.clientFor(Part::labelSync),
                                                                    .page = lead.metrics,
                                                                    .caches = caches,
                                                                    .nodes = workloadClusters,
                                                                    .watchFilter = filter,
                                                                    .tuning = tuned(lead, &Concurrency::labelSync)});
    if (parts.contains(Part::remediation))
      remediations.emplace(lead.runtime,
                           remediation::ControllersWorld{.client = lead.clientFor(Part::remediation),
                                                         .page = lead.metrics,
                                                         .caches = caches,
                                                         .nodes = workloadClusters,
                                                         .namespaces = namespacesOf(lead.options),
                                                         .unreadable = lead.unreadable,
                                                         .readings = readings(),
                                                         .watchFilter = filter,
                                                         .tuning = tuned(lead, &Concurrency::remediations)});
  }

  // Of agents, where they are this process's.
  remediation::AgentReadings readings() {
    if (hosts) return hosts->readings();
    return {};
  }

  void start(base::VitalTasks& tasks, kube::ServedKinds& kinds) {
    std::vector<kube::Managed> controllers;
    const auto add = [&controllers](auto& part) {
      if (part) std::ranges::move(part->managed(), std::back_inserter(controllers));
    };
    add(ipam);
    add(metalClusters);
    add(machineData);
    add(metalMachines);
    add(hostMoves);
    add(machineTemplates);
    add(nodeLabels);
    add(remediations);
    add(hosts);
    kinds.watch(cachesOf(controllers));
    tasks.spawn("workload clusters", workloadClusters.run());
    if (migrator) tasks.spawn("migration of kinds", migrator->run());
    if (hosts) hosts->start(tasks);
    if (agentsElsewhere) agentsElsewhere->start(tasks.group());
    kube::start(tasks, controllers);
  }

  // As long as the term lasts: the page is there before and after.
  void showCaches(base::Metrics& page) const {
    page.beforeExpose([&page, still = std::weak_ptr(shown)] {
      const auto all = still.lock();
      if (!all) return;
      for (const kube::CacheBase* cache : *all) {
        const base::Labels labels{{"resource", cache->resource().name()}};
        page.gauge("ingot_cached_objects", "Objects in a cache", labels).set(static_cast<double>(cache->size()));
        page.gauge("ingot_cached_objects_packed", "Objects in a cache that are kept as packed text", labels)
            .set(static_cast<double>(cache->packed()));
      }
    });
  }

  // As above.
  void showReadings(const Leadership& lead) const {
    if (!hosts) return;
    lead.metrics.exposeAlso([&clock = lead.runtime.clock, still = std::weak_ptr(hosts->readingBook)](std::string& out) {
      if (const auto book = still.lock()) book->write(out, clock.now());
    });
    lead.metrics.exposeAlso([still = std::weak_ptr(hosts->logBook)](std::string& out) {
      if (const auto book = still.lock()) book->write(out);
    });
    if (lead.readings != nullptr)
      lead.readings->show({.sensors = hosts->readingBook, .logs = hosts->logBook, .hardware = hosts->hardwareBook});
  }

  Caches caches;
  AddressCaches addresses;
  using Shown = std::vector<const kube::CacheBase*>;
  std::shared_ptr<const Shown> shown = std::make_shared<const Shown>(
      Shown{&caches.hosts, &caches.secrets, &caches.hardware, &caches.machines, &caches.metalMachines, &caches.data});
  workload::ClusterCache workloadClusters;
  kube::Subscription leavingClusters;
  std::unique_ptr<agents::Elsewhere> agentsElsewhere;
  api::Carrying carrying;
  std::optional<Hosts> hosts;
  std::optional<ipam::Controllers> ipam;
  std::optional<cluster::Controllers> metalClusters;
  std::optional<data::Controllers> machineData;
  std::optional<machine::Controllers> metalMachines;
  std::optional<host_move::Controllers> hostMoves;
  std::optional<machine_template::Controllers> machineTemplates;
  std::optional<label_sync::Controllers> nodeLabels;
  std::optional<remediation::Controllers> remediations;
  std::optional<migration::Migrator> migrator;
};

}  // namespace

base::Task<std::int64_t> leastTerm(kube::Client& client, LeastTermAsked asked) {
  const auto keys = co_await agents::presentKeys(client, asked.options.dataDir, asked.ownNamespace);
  co_return co_await agents::leastTerm(client, asked.now,
                                       {.lease = std::move(asked.lease),
                                        .namespaces = namespacesOf(asked.options),
                                        .seal = keys ? std::optional(api::TermSeal(keys->secretKey)) : std::nullopt});
}

base::Task<void> runControllers(Leadership lead) {
  if (!lead.options.shadow) lead.runtime.log.info("leading", {{"term", lead.term}});
  base::VitalTasks tasks(lead.runtime.executor, lead.runtime.log);
  std::exception_ptr failure;
  std::unique_ptr<Term> term;
  try {
    term = std::make_unique<Term>(lead, partsOf(lead.options), co_await openLink(lead));
    term->start(tasks, lead.kinds);
    term->showCaches(lead.metrics);
    term->showReadings(lead);
    co_await tasks.run();
  } catch (...) {
    failure = std::current_exception();
  }
  co_await tasks.close();
  lead.kinds.forget();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace ingot::coordinator
