#include "coordinator/flags/manager_flags.hpp"

namespace ingot::coordinator {
namespace {

constexpr std::string_view kCapm3 = "CAPM3", kIpam = "IPAM", kBmo = "BMO";
constexpr std::string_view kProviders = "CAPM3, IPAM", kAll = "CAPM3, IPAM, BMO";

constexpr std::string_view alwaysElects = "in a cluster one always leads: agents obey whom the Lease has counted";
constexpr std::string_view oneStream = "every line goes to standard error at once";
constexpr std::string_view oneLevel = "one level holds for the whole process";

constexpr ManagerFlag kFlags[] = {
    {"kubeconfig", kAll, "/etc/ingot/kubeconfig"},
    {"namespace", kAll, "metal3"},
    {"leader-elect", kProviders, "true", alwaysElects, Shape::boolean},
    {"enable-leader-election", kBmo, "true", alwaysElects, Shape::boolean},
    {"leader-elect-lease-duration", kCapm3, "30s"},
    {"leader-elect-renew-deadline", kCapm3, "9s"},
    {"leader-elect-retry-period", kCapm3, "3s"},
    {"lease-duration-seconds", kBmo, "30"},
    {"renew-deadline-seconds", kBmo, "9"},
    {"retry-period-seconds", kBmo, "3"},
    {"watch-filter", kProviders, "ours"},
    {"sync-period", kProviders, "15m"},
    {"health-addr", kAll, ":9440"},
    {"metrics-addr", kBmo, ":8443"},
    {"diagnostics-address", kProviders, ":8443"},
    {"insecure-diagnostics", kProviders, "true"},
    {"webhook-port", kAll, "9443"},
    {"webhook-cert-dir", kProviders, "/tmp/k8s-webhook-server/serving-certs/"},
    {"tls-min-version", kAll, "VersionTLS13"},
    {"tls-max-version", kBmo, "TLS13"},
    {"tls-cipher-suites", kAll, "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"},
    {"tls-curve-preferences", kBmo, "X25519,CurveP256"},
    {"kube-api-qps", kAll, "20"},
    {"kube-api-burst", kAll, "30"},
    {"clustercache-client-qps", kCapm3, "20"},
    {"clustercache-client-burst", kCapm3, "30"},
    {"metal3machine-concurrency", kCapm3, "7"},
    {"metal3cluster-concurrency", kCapm3, "7"},
    {"metal3datatemplate-concurrency", kCapm3, "7"},
    {"metal3data-concurrency", kCapm3, "7"},
    {"metal3labelsync-concurrency", kCapm3, "7"},
    {"metal3machinetemplate-concurrency", kCapm3, "7"},
    {"metal3remediation-concurrency", kCapm3, "7"},
    {"ippool-concurrency", kIpam, "7"},
    {"controller-concurrency", kBmo, "7"},
    {"enable-bmh-name-based-preallocation", kCapm3, "true"},
    {"enableBMHNameBasedPreallocation", kCapm3, "true"},
    {"skip-crd-migration-phases", kCapm3, "StorageVersionMigration"},
    {"build-preprov-image", kBmo, "true",
     "PreprovisioningImages are not reconciled: the ramdisk is that of DEPLOY_*_URL", Shape::boolean, true},
    {"hostclaims", kBmo, "true", "HostClaims are not reconciled", Shape::boolean, true},
    {"provisioner", kBmo, "fixture"},
    {"dev", kBmo, "true"},
    {"max-provisioning-retries", kBmo, "5"},
    {"v", kProviders, "4"},
    {"vmodule", kProviders, "queue=5", oneLevel},
    {"logging-format", kProviders, "json"},
    {"log-flush-frequency", kProviders, "5s", oneStream},
    {"log-text-split-stream", kProviders, "false", oneStream, Shape::boolean},
    {"log-text-info-buffer-size", kProviders, "0", oneStream},
    {"log-json-split-stream", kCapm3, "false", oneStream, Shape::boolean},
    {"log-json-info-buffer-size", kCapm3, "0", oneStream},
};

}  // namespace

std::span<const ManagerFlag> managerFlags() { return kFlags; }

}  // namespace ingot::coordinator
