// Names that are part of the API: spec/capm3.md §2, spec/ipam.md §6.
#include "api/bmh/names.hpp"
#include "api/capi/pause.hpp"
#include "api/capi/watch_filter.hpp"
#include "api/capm3/names.hpp"
#include "api/ipam/names.hpp"

#include <catch2/catch.hpp>

#include <map>

using namespace ingot;

namespace {

using Words = std::map<std::string_view, std::string_view>;

void checkEach(const Words& words) {
  for (const auto& [ours, upstreams] : words) CHECK(ours == upstreams);
}

}  // namespace

TEST_CASE("capm3 §2.1 finalizers are upstream's", "[api][words]") {
  namespace finalizer = api::capm3::finalizer;
  checkEach({{finalizer::cluster, "metal3cluster.infrastructure.cluster.x-k8s.io"},
             {finalizer::machine, "metal3machine.infrastructure.cluster.x-k8s.io"},
             {finalizer::dataTemplate, "metal3datatemplate.infrastructure.cluster.x-k8s.io"},
             {finalizer::dataClaim, "metal3dataclaim.infrastructure.cluster.x-k8s.io"},
             {finalizer::data, "metal3data.infrastructure.cluster.x-k8s.io"},
             {finalizer::remediation, "metal3remediation.infrastructure.cluster.x-k8s.io"}});
}

TEST_CASE("capm3 §2.2 labels are upstream's", "[api][words]") {
  namespace label = api::capm3::label;
  checkEach({{label::clusterName, "cluster.x-k8s.io/cluster-name"},
             {label::watchFilter, "cluster.x-k8s.io/watch-filter"},
             {label::controlPlane, "cluster.x-k8s.io/control-plane"},
             {label::nodeReuse, "infrastructure.cluster.x-k8s.io/node-reuse"},
             {label::failureDomain, "infrastructure.cluster.x-k8s.io/failure-domain"},
             {label::dataName, "infrastructure.cluster.x-k8s.io/data-name"},
             {label::poolName, "infrastructure.cluster.x-k8s.io/pool-name"},
             {label::hostUid, "metal3.io/uuid"}});
}

TEST_CASE("capm3 §2.3 annotations are upstream's", "[api][words]") {
  namespace annotation = api::capm3::annotation;
  checkEach({{annotation::host, "metal3.io/BareMetalHost"},
             {api::annotation::paused, "baremetalhost.metal3.io/paused"},
             {api::annotation::status, "baremetalhost.metal3.io/status"},
             {annotation::blockMove, "clusterctl.cluster.x-k8s.io/block-move"},
             {annotation::unhealthy, "capm3.metal3.io/unhealthy"},
             {annotation::unhealthyOld, "capi.metal3.io/unhealthy"},
             {api::annotation::rebootPrefix, "reboot.metal3.io/"},
             {annotation::labelSyncPrefixes, "metal3.io/metal3-label-sync-prefixes"},
             {annotation::paused, "cluster.x-k8s.io/paused"},
             {annotation::managedBy, "cluster.x-k8s.io/managed-by"},
             {annotation::clonedFromName, "cluster.x-k8s.io/cloned-from-name"},
             {annotation::clonedFromGroupKind, "cluster.x-k8s.io/cloned-from-groupkind"},
             {annotation::conversionData, "cluster.x-k8s.io/conversion-data"}});
}

TEST_CASE("ipam §6 constants are upstream's", "[api][words]") {
  namespace finalizer = api::ipam::finalizer;
  checkEach({{finalizer::pool, "ippool.ipam.metal3.io"},
             {finalizer::claim, "ipclaim.ipam.metal3.io"},
             {finalizer::address, "ipaddress.ipam.metal3.io"},
             {finalizer::capiClaim, "ipam.metal3.io/ipaddressclaim"},
             {finalizer::capiAddress, "ipam.metal3.io/ipaddress"},
             {api::ipam::kRequestedAddress, "ipAddress"},
             {api::ipam::kGroup, "ipam.metal3.io"},
             {api::ipam::kProviderLabelValue, "ipam-metal3"}});
  kube::ObjectMeta paused;
  CHECK_FALSE(api::capi::isPaused(paused));
  paused.annotations["cluster.x-k8s.io/paused"] = "false";  // its presence counts
  CHECK(api::capi::isPaused(paused));
  kube::ObjectMeta watched;
  CHECK_FALSE(api::capi::passesWatchFilter(watched, "blue"));
  watched.labels["cluster.x-k8s.io/watch-filter"] = "blue";
  CHECK(api::capi::passesWatchFilter(watched, "blue"));
}
