#include "coordinator/data/pool_references.hpp"

#include "api/ipam/ip_pool.hpp"
#include "api/ipam/names.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::data {
namespace {

namespace v1beta2 = api::capm3::v1beta2;
using cloudinit::Field;
using cloudinit::RenderError;

PoolKind metal3Kind() { return {std::string(api::ipam::kGroup), std::string(api::ipam::IPPool::info.kind)}; }

PoolKind kindOf(const std::string& group, const std::string& kind) {
  PoolKind out = metal3Kind();
  if (!group.empty()) out.group = group;
  if (!kind.empty()) out.kind = kind;
  return out;
}

class Collector {
 public:
  explicit Collector(const cloudinit::Snapshot& snapshot) : snapshot_(snapshot) {}

  void networkData(const v1beta2::NetworkData& wanted) {
    const Field root("networkData");
    if (wanted.networks) {
      const Field field = root.member("networks");
      fixed(field, "ipv4", wanted.networks->ipv4);
      fixed(field, "ipv6", wanted.networks->ipv6);
      dynamic(field, "ipv4DHCP", wanted.networks->ipv4DHCP);
      dynamic(field, "ipv6DHCP", wanted.networks->ipv6DHCP);
      dynamic(field, "ipv6SLAAC", wanted.networks->ipv6SLAAC);
    }
    if (wanted.services) services(root.member("services"), *wanted.services);
  }

  void metaData(const v1beta2::MetaData& wanted) {
    const Field root("metaData");
    fromPools(root, "ipAddressesFromPool", wanted.ipAddressesFromPool);
    fromPools(root, "prefixesFromPool", wanted.prefixesFromPool);
    fromPools(root, "gatewaysFromPool", wanted.gatewaysFromPool);
    fromPools(root, "dnsServersFromPool", wanted.dnsServersFromPool);
  }

  [[nodiscard]] PoolReferences take() { return std::move(pools_); }

 private:
  void add(const Field& field, const std::string& name, const PoolKind& kind) {
    const auto [at, isNew] = pools_.try_emplace(name, kind);
    if (!isNew && at->second != kind)
      throw RenderError(field, name, "multiple references with the same name but different resource types");
  }

  // Group and kind of these items are ignored, unless network data name that very pool too.
  void fromPools(const Field& root, std::string_view list, const std::vector<v1beta2::MetaDataFromPool>& items) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const auto known = pools_.find(items[i].name);
      if (known != pools_.end() && known->second == kindOf(items[i].apiGroup, items[i].kind)) continue;
      add(root.item(list, i), items[i].name, metal3Kind());
    }
  }

  void annotated(const Field& field, const v1beta2::FromAnnotation& from) {
    const Field here = field.member("fromPoolAnnotation");
    const std::string pool = cloudinit::annotationOf(snapshot_, {here, from.object}, from.annotation);
    if (pool.empty())
      throw RenderError(here, from.annotation,
                        fmt::format("annotation {} not found or empty on {}", from.annotation, from.object));
    add(here, pool, metal3Kind());
  }

  void referenced(const Field& field, const v1beta2::FromAnnotation& annotation, const v1beta2::IPPoolReference& pool,
                  const std::string& name) {
    if (!annotation.object.empty()) return annotated(field, annotation);
    if (!pool.name.empty()) return add(field.member("fromPoolRef"), pool.name, kindOf(pool.apiGroup, pool.kind));
    if (!name.empty()) add(field, name, metal3Kind());
  }

  template <class Family>
  void services(const Field& field, const v1beta2::NetworkServices<Family>& wanted) {
    if (!wanted.dnsFromIPPool.empty()) add(field.member("dnsFromIPPool"), wanted.dnsFromIPPool, metal3Kind());
  }

  template <class Family>
  void routes(const Field& network, const std::vector<v1beta2::NetworkRoute<Family>>& all) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Field field = network.item("routes", i);
      const auto& gateway = all[i].gateway;
      if (!gateway.string)
        referenced(field.member("gateway"), gateway.fromPoolAnnotation, gateway.fromPoolRef, gateway.fromIPPool);
      if (all[i].services) services(field.member("services"), *all[i].services);
    }
  }

  template <class Family>
  void fixed(const Field& root, std::string_view list, const std::vector<v1beta2::StaticNetwork<Family>>& networks) {
    for (std::size_t i = 0; i < networks.size(); ++i) {
      const auto& network = networks[i];
      const Field field = root.item(list, i);
      referenced(field, network.fromPoolAnnotation, network.fromPoolRef, network.ipAddressFromIPPool);
      routes(field, network.routes);
    }
  }

  template <class Family>
  void dynamic(const Field& root, std::string_view list, const std::vector<v1beta2::DynamicNetwork<Family>>& networks) {
    for (std::size_t i = 0; i < networks.size(); ++i) routes(root.item(list, i), networks[i].routes);
  }

  const cloudinit::Snapshot& snapshot_;
  PoolReferences pools_;
};

}  // namespace

bool PoolKind::isMetal3() const { return *this == metal3Kind(); }

PoolReferences poolsNamedBy(const v1beta2::Metal3DataTemplateSpec& wanted, const cloudinit::Snapshot& snapshot) {
  Collector collector(snapshot);
  if (wanted.networkData) collector.networkData(*wanted.networkData);
  if (wanted.metaData) collector.metaData(*wanted.metaData);
  return collector.take();
}

}  // namespace ingot::coordinator::data
