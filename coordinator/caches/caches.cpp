#include "coordinator/caches/caches.hpp"

#include "api/bmh/names.hpp"
#include "coordinator/caches/address_caches.hpp"

#include <fmt/format.h>

namespace ingot::coordinator {
namespace {

constexpr base::Duration kPackAfter = std::chrono::seconds(10);

template <kube::Kind T>
kube::CacheOptions maybeInstalled(const CachesOptions& options) {
  return {.namespaces = options.namespaces, .watcher = {.mayBeAbsent = true}, .unreadable = options.unreadable.of<T>()};
}

kube::CacheOptions poolsWith(const CachesOptions& options, const std::string& watchFilter) {
  auto cache = maybeInstalled<api::ipam::IPPool>(options);
  if (!watchFilter.empty()) cache.labelSelector = "cluster.x-k8s.io/watch-filter=" + watchFilter;
  return cache;
}

}  // namespace

Caches::Caches(base::Runtime runtime, kube::Client& client, CachesOptions options)
    : hosts(runtime, client.api(),
            {.namespaces = options.namespaces,
             .packAfter = kPackAfter,
             .unreadable = options.unreadable.of<api::BareMetalHost>()}),
      secrets(runtime, client.api(),
              {.namespaces = options.namespaces,
               .labelSelector = fmt::format("{}={}", api::label::environment, api::label::environmentBaremetal)}),
      hardware(runtime, client.api(), {.namespaces = options.namespaces, .packAfter = kPackAfter}),
      clusters(runtime, client.api(), maybeInstalled<api::capi::Cluster>(options)),
      machines(runtime, client.api(), maybeInstalled<api::capi::Machine>(options)),
      machineSets(runtime, client.api(), maybeInstalled<api::capi::MachineSet>(options)),
      metalClusters(runtime, client.api(), maybeInstalled<api::capm3::v1beta2::Metal3Cluster>(options)),
      metalMachines(runtime, client.api(), maybeInstalled<api::capm3::v1beta2::Metal3Machine>(options)),
      machineTemplates(runtime, client.api(), maybeInstalled<api::capm3::v1beta2::Metal3MachineTemplate>(options)),
      dataTemplates(runtime, client.api(), maybeInstalled<api::capm3::v1beta2::Metal3DataTemplate>(options)),
      dataClaims(runtime, client.api(), maybeInstalled<api::capm3::v1beta2::Metal3DataClaim>(options)),
      data(runtime, client.api(), maybeInstalled<api::capm3::v1beta2::Metal3Data>(options)) {}

AddressCaches::AddressCaches(base::Runtime runtime, kube::Client& client, CachesOptions options,
                             const std::string& watchFilter)
    : allPools(watchFilter.empty()),
      pools(runtime, client.api(), poolsWith(options, watchFilter)),
      claims(runtime, client.api(), maybeInstalled<api::ipam::IPClaim>(options)),
      addresses(runtime, client.api(), maybeInstalled<api::ipam::IPAddress>(options)),
      capiClaims(runtime, client.api(), maybeInstalled<api::capi_ipam::IPAddressClaim>(options)),
      capiAddresses(runtime, client.api(), maybeInstalled<api::capi_ipam::IPAddress>(options)) {}

}  // namespace ingot::coordinator
