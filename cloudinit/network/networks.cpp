#include "cloudinit/netmask.hpp"
#include "cloudinit/network/sections.hpp"
#include "cloudinit/network/services.hpp"

namespace ingot::cloudinit::network {

namespace {

namespace v1beta2 = api::capm3::v1beta2;

template <class Family>
constexpr bool kIsV4 = std::is_same_v<Family, api::capm3::Ipv4>;

template <class Family>
std::string netmask(const Field& field, int prefix, const Context& context) {
  const auto mask = kIsV4<Family> ? netmaskV4(prefix) : netmaskV6(prefix);
  if (mask) return *mask;
  context.refusals.add(field, fmt::to_string(prefix),
                       fmt::format("no prefix of an IPv{} network", kIsV4<Family> ? "4" : "6"));
  return "";
}

std::string annotatedPool(const Field& field, const v1beta2::FromAnnotation& from, const Snapshot& snapshot) {
  return annotationOf(snapshot, {field.member("fromPoolAnnotation"), from.object}, from.annotation);
}

template <class Family>
std::string gatewayOf(const Field& route, const v1beta2::Gateway<Family>& wanted, const Snapshot& snapshot) {
  constexpr const char* kMissing = "failed to fetch pool from cache";
  const Field field = route.member("gateway");
  if (wanted.string) return *wanted.string;
  if (isGiven(wanted.fromPoolAnnotation)) {
    const std::string pool = annotatedPool(field, wanted.fromPoolAnnotation, snapshot);
    return poolNamed(snapshot, field.member("fromPoolAnnotation"), pool, kMissing).gateway;
  }
  if (!wanted.fromPoolRef.name.empty())
    return poolNamed(snapshot, field.member("fromPoolRef"), wanted.fromPoolRef.name, kMissing).gateway;
  if (!wanted.fromIPPool.empty())
    return poolNamed(snapshot, field.member("fromIPPool"), wanted.fromIPPool, kMissing).gateway;
  return "";
}

template <class Family>
json::Object renderRoute(const Field& field, const v1beta2::NetworkRoute<Family>& route, const Context& context) {
  std::string gateway = gatewayOf(field, route.gateway, context.snapshot);
  json::Array services;
  if (route.services) services = renderServices(field.member("services"), *route.services, context.snapshot);
  return {{"network", route.network},
          {"netmask", netmask<Family>(field.member("prefix"), route.prefix.value_or(0), context)},
          {"gateway", std::move(gateway)},
          {"services", std::move(services)}};
}

template <class Family>
json::Array renderRoutes(const Field& network, const std::vector<v1beta2::NetworkRoute<Family>>& routes,
                         const Context& context) {
  json::Array out;
  for (std::size_t i = 0; i < routes.size(); ++i)
    out.push_back(renderRoute(network.item("routes", i), routes[i], context));
  return out;
}

template <class Family>
const PoolAddress& addressOf(const Field& field, const v1beta2::StaticNetwork<Family>& network,
                             const Snapshot& snapshot) {
  if (isGiven(network.fromPoolAnnotation)) {
    const std::string pool = annotatedPool(field, network.fromPoolAnnotation, snapshot);
    return poolNamed(snapshot, field.member("fromPoolAnnotation"), pool);
  }
  if (!network.fromPoolRef.name.empty())
    return poolNamed(snapshot, field.member("fromPoolRef"), network.fromPoolRef.name);
  return poolNamed(snapshot, field.member("ipAddressFromIPPool"), network.ipAddressFromIPPool);
}

template <class Family>
json::Object render(const Field& field, const v1beta2::StaticNetwork<Family>& network, const Context& context) {
  const PoolAddress& pool = addressOf(field, network, context.snapshot);
  const Field prefix = field.member("prefix of the pool");
  return {{"type", kIsV4<Family> ? "ipv4" : "ipv6"},
          {"id", network.id},
          {"link", network.link},
          {"netmask", pool.prefix ? netmask<Family>(prefix, *pool.prefix, context) : ""},
          {"ip_address", pool.address},
          {"routes", renderRoutes(field, network.routes, context)}};
}

}  // namespace

json::Array renderNetworks(const Field& field, const v1beta2::Networks& wanted, const Context& context) {
  json::Array out;
  const auto fixed = [&](std::string_view list, const auto& networks) {
    for (std::size_t i = 0; i < networks.size(); ++i) out.push_back(render(field.item(list, i), networks[i], context));
  };
  const auto dynamic = [&](std::string_view list, std::string_view type, const auto& networks) {
    for (std::size_t i = 0; i < networks.size(); ++i)
      out.push_back(json::Object{{"type", type},
                                 {"id", networks[i].id},
                                 {"link", networks[i].link},
                                 {"routes", renderRoutes(field.item(list, i), networks[i].routes, context)}});
  };
  fixed("ipv4", wanted.ipv4);
  fixed("ipv6", wanted.ipv6);
  dynamic("ipv4DHCP", "ipv4_dhcp", wanted.ipv4DHCP);
  dynamic("ipv6DHCP", "ipv6_dhcp", wanted.ipv6DHCP);
  dynamic("ipv6SLAAC", "ipv6_slaac", wanted.ipv6SLAAC);
  return out;
}

}  // namespace ingot::cloudinit::network
