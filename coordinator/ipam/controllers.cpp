#include "coordinator/ipam/controllers.hpp"

#include "base/cut_text.hpp"
#include "coordinator/ipam/address_reconciler.hpp"
#include "coordinator/ipam/claim_status.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ranges>

namespace ingot::coordinator::ipam {
namespace {

using api::capi::Cluster;
using api::ipam::IPPool;
using Keys = std::vector<kube::ObjectKey>;

constexpr std::size_t kClaimsAtOnce = 64;
constexpr std::size_t kMostOfName = 100;
constexpr base::Backoff kBackoff{std::chrono::milliseconds(100), std::chrono::minutes(1)};

template <class Object>
Keys poolKeys(const Object& object) {
  const auto pool = poolOf(object);
  return pool ? Keys{*pool} : Keys{};
}

}  // namespace

// The controller of one kind of claims.
template <class Claim>
struct Controllers::OfClaims {
  using Address = typename KindOf<Claim>::Address;

  OfClaims(Controllers& all, kube::Cache<Claim>& claimCache, kube::Cache<Address>& addresses, const IpamWorld& world,
           const std::string& name)
      : retry(world.retry),
        claims(claimCache),
        waiting(claims,
                [this](const Claim& claim) {
                  return actionOf(claim, retry) == ClaimAction::none ? Keys{} : poolKeys(claim);
                }),
        waitingWith(claims,
                    [this](const Claim& claim) {
                      const auto cluster = clusterOf(claim);
                      const bool waits = cluster && actionOf(claim, retry) != ClaimAction::none;
                      return waits ? Keys{*cluster} : Keys{};
                    }),
        reconciler(all.runtime_, {world.client, claims, all.events_}, addresses, all.open_, all.unseenClusters_,
                   all.books_, all.caches_.waits, world.retry),
        ofClaim(addresses, [](const Address& address) { return Keys{claimOf(address)}; }),
        addressReconciler(all.runtime_, {world.client, addresses, all.events_}, claims, all.open_),
        addressController(all.runtime_, {.name = name + "-addresses", .backoff = kBackoff, .metrics = &world.page},
                          addressReconciler),
        controller(all.runtime_,
                   {.name = name,
                    .concurrency = world.tuning.concurrency.value_or(kClaimsAtOnce),
                    .backoff = kBackoff,
                    .metrics = &world.page,
                    .syncPeriod = world.tuning.syncPeriod},
                   reconciler) {
    controller.template watchMain<Claim>(
        claims, [](const Claim& before, const Claim& after) { return mattersToClaim(before, after); });
    controller.template watch<IPPool>(
        all.caches_.pools, [this](const IPPool& pool) { return waiting.copy(pool.metadata.key()); }, mattersToClaims);
    controller.template watch<Cluster>(
        all.clusters_, [this, &all](const Cluster& cluster) { return ofCluster(all.open_, cluster); },
        api::capi::pausedOtherwise);
    controller.template watch<Address>(addresses, [this](const Address& address) { return waitingFor(address); });
    addressController.template watchMain<Address>(addresses);
    addressController.template watch<Claim>(
        claims, [this](const Claim& claim) { return ofClaim.copy(claim.metadata.key()); },
        [](const Claim&, const Claim&) { return false; });
  }

  Keys ofCluster(const Pools& pools, const Cluster& cluster) const {
    Keys keys = waitingWith.copy(cluster.metadata.key());
    for (const auto& pool : pools.ofCluster(cluster)) std::ranges::copy(waiting.find(pool), std::back_inserter(keys));
    return keys;
  }
  // A claim may wait for the address of an earlier one of its name to go, or for one made by hand to come.
  Keys waitingFor(const Address& address) const {
    const auto claim = claims.find(claimOf(address));
    return claim && actionOf(*claim, retry) != ClaimAction::none ? Keys{claimOf(address)} : Keys{};
  }

  Retry retry;
  kube::Cache<Claim>& claims;
  kube::Index<Claim> waiting;      // by pool, those with something left to do
  kube::Index<Claim> waitingWith;  // the same by their own Cluster
  ClaimReconciler<Claim> reconciler;
  kube::Index<Address> ofClaim;
  AddressReconciler<Claim> addressReconciler;
  kube::Controller addressController;
  kube::Controller controller;
};

Controllers::Controllers(base::Runtime runtime, IpamWorld world)
    : runtime_(runtime.named("ipam")),
      clusters_(world.clusters),
      caches_(world.addresses),
      events_(runtime_, world.client,
              {.component = "ip-address-manager",
               .reportingComponent = "metal3.io/ip-address-manager",
               .reportingInstance = "ingot-coordinator"}),
      open_(caches_.pools, caches_.allPools, clusters_),
      unseenClusters_(runtime_.clock, world.client, clusters_),
      books_(runtime_.clock, caches_.addresses, caches_.capiAddresses),
      overlaps_(caches_.pools),
      poolReconciler_(runtime_, {world.client, caches_.pools, events_}, open_, books_, overlaps_),
      poolController_(runtime_,
                      {.name = "ippool",
                       .concurrency = world.tuning.concurrency.value_or(8),
                       .backoff = kBackoff,
                       .metrics = &world.page,
                       .syncPeriod = world.tuning.syncPeriod},
                      poolReconciler_),
      claims_(
          std::make_unique<OfClaims<api::ipam::IPClaim>>(*this, caches_.claims, caches_.addresses, world, "ipclaim")),
      capiClaims_(std::make_unique<OfClaims<api::capi_ipam::IPAddressClaim>>(
          *this, caches_.capiClaims, caches_.capiAddresses, world, "ipaddressclaim")) {
  poolController_.watchMain<IPPool>(caches_.pools, mattersToPool);
  poolController_.watch<Cluster>(
      clusters_, [this](const Cluster& cluster) { return open_.ofCluster(cluster); }, api::capi::pausedOtherwise);
  subscriptions_.push_back(books_.onHeldTwice([this](const auto& it) { tellHeldTwice(it); }));
  showAddresses(caches_.addresses);
  showAddresses(caches_.capiAddresses);
  if (world.retry == Retry::forLackOfAddresses) retryRefused(world.page);
}

void Controllers::retryRefused(base::Metrics& page) {
  refused_.emplace(caches_.claims, caches_.capiClaims);
  const auto call = [this](const RefusedClaims::Place& place) {
    const bool isCapi = place.kind == ClaimKind::capi;
    (isCapi ? capiClaims_->controller : claims_->controller).queue().add(place.claim);
  };
  retries_ = std::make_unique<Retries>(
      runtime_, RetriesWorld{.page = page,
                             .refused = *refused_,
                             .isFree = [this](const RefusedClaims::Line& line) { return isFree(line); },
                             .call = call});
  claims_->reconciler.onLooked([this](const auto& claim) { retries_->looked(ClaimKind::metal3, claim); });
  capiClaims_->reconciler.onLooked([this](const auto& claim) { retries_->looked(ClaimKind::capi, claim); });
  noteFreed(caches_.addresses);
  noteFreed(caches_.capiAddresses);
}

template <class Address>
void Controllers::noteFreed(kube::Cache<Address>& addresses) {
  subscriptions_.push_back(addresses.listen([this](const typename kube::Cache<Address>::Change& change) {
    const auto pool = change.before && !change.after ? poolOf(*change.before) : std::nullopt;
    if (pool) retries_->note(*pool, change.before->spec.address);
  }));
}

// What opens a pool brings its claims back.
bool Controllers::isFree(const RefusedClaims::Line& line) {
  const auto pool = caches_.pools.find(line.pool);
  if (!pool || !open_.gives(*pool)) return false;
  const PoolBook& book = books_.of(*pool);
  return line.address ? !book.isInUse(line.address->text()) : book.isAnyFree(runtime_.random);
}

template <class Address>
void Controllers::showAddresses(kube::Cache<Address>& addresses) {
  subscriptions_.push_back(addresses.listen([this](const typename kube::Cache<Address>::Change& change) {
    if (change.before && change.after && change.before->spec == change.after->spec) return;
    const auto priority = change.backlog ? kube::Priority::backlog : kube::Priority::change;
    for (const auto& address : {change.before, change.after})
      if (const auto pool = address ? poolOf(*address) : std::nullopt)
        poolController_.queue().add(*pool, priority, untilShown(*pool));
  }));
}

// Two machines may run with it, and which one is to give it up only people can say. Nothing bounds the name of a claim.
void Controllers::tellHeldTwice(const AddressBooks::HeldTwice& it) {
  const auto textOf = [](const Holder& holder) {
    const bool isCapi = holder.claim.kind == ClaimKind::capi;
    return fmt::format("{} of {} {}", holder.object, isCapi ? "IPAddressClaim" : "IPClaim",
                       base::cutText(holder.claim.name, kMostOfName));
  };
  std::string some = fmt::format("{}", fmt::join(it.holders | std::views::transform(textOf), ", "));
  if (it.holders.size() < it.count) some += fmt::format(" and {} others", it.count - it.holders.size());
  const std::string text =
      fmt::format("{} of pool {} is held by {} IPAddresses: {}", it.address.text(), it.pool.name, it.count, some);
  runtime_.log.warn(
      "an address is held twice",
      {{"pool", it.pool.text()}, {"address", it.address.text()}, {"by", some}, {"contested", it.contested}});
  const auto warn = [&](const auto& addresses, const std::string& name) {
    if (const auto object = addresses.find({it.pool.namespace_, name}))
      events_.warning(kube::referenceTo(*object), "AddressHeldTwice", text);
  };
  for (const auto& holder : it.toTell) {
    if (holder.claim.kind == ClaimKind::capi)
      warn(caches_.capiAddresses, holder.object);
    else
      warn(caches_.addresses, holder.object);
  }
}

// One that goes waits for its last address, and not until it may show that.
base::Duration Controllers::untilShown(const kube::ObjectKey& key) const {
  const auto pool = caches_.pools.find(key);
  if (pool && pool->metadata.beingDeleted()) return {};
  return poolReconciler_.untilPublication(key);
}

Controllers::~Controllers() = default;

base::Task<void> Controllers::run(kube::Controller& controller) {
  co_await caches_.pools.synced();
  co_await caches_.addresses.synced();
  co_await caches_.capiAddresses.synced();
  co_await clusters_.synced();
  co_await controller.run();
}

std::vector<kube::Managed> Controllers::managed() {
  const auto entry = [this](std::string name, std::vector<kube::CacheBase*> caches, kube::Controller& controller) {
    return kube::Managed{
        .name = std::move(name), .caches = std::move(caches), .recorders = {&events_}, .run = [this, &controller] {
          return run(controller);
        }};
  };
  std::vector<kube::Managed> all{
      entry("ippool", {&caches_.pools, &clusters_, &caches_.addresses, &caches_.capiAddresses}, poolController_),
      entry("ipclaim", {&caches_.claims}, claims_->controller),
      entry("ipaddress", {&caches_.addresses}, claims_->addressController),
      entry("ipaddressclaim", {&caches_.capiClaims}, capiClaims_->controller),
      entry("capi ipaddress", {&caches_.capiAddresses}, capiClaims_->addressController)};
  if (retries_) all.push_back(entry("ippool retries", {}, retries_->controller()));
  return all;
}

}  // namespace ingot::coordinator::ipam
