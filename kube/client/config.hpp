// How to reach a cluster: from kubeconfig files with kubectl's rules, or from inside a pod.
#pragma once

#include "kube/client/client.hpp"
#include "kube/client/connections.hpp"
#include "kube/client/impersonation.hpp"
#include "kube/client/kubeconfig.hpp"
#include "net/client.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace ingot::kube {

struct ClusterConfig {
  std::string server;  // "https://10.0.0.1:6443"
  net::ClientTls tls;
  base::Secret token;
  std::string tokenFile;  // wins over token
  base::Secret proxy;     // empty: none
  std::string basicUser;
  base::Secret basicPassword;
  CertificateFiles certificateFiles;  // where the certificate in `tls` came from: read again while we run
  Impersonation as;
  std::string namespace_ = "default";
  std::string podNamespace;   // of the account of the pod that this was made from; "": it was not, or has none
  std::string context, user;  // for messages
};

// nullopt when the variable is not set.
using Environment = std::function<std::optional<std::string>(std::string_view name)>;
[[nodiscard]] Environment processEnvironment();

struct KubeconfigChoice {
  std::string path;        // --kubeconfig; "": $KUBECONFIG (a list, merged: the first file wins), then ~/.kube/config
  std::string context;     // --context; "": current-context
  std::string namespace_;  // --namespace; "": the context's, then "default"
};

// Throws base::InvalidInput naming the file and what is wrong with it.
[[nodiscard]] ClusterConfig loadKubeconfig(const KubeconfigChoice& choice, const Environment& environment);

// What one of its contexts says. Reads the files that it names. Throws base::InvalidInput with `where` in front.
[[nodiscard]] ClusterConfig resolveKubeconfig(const Kubeconfig& kubeconfig, const KubeconfigChoice& choice,
                                              const std::string& where, const Environment& environment);

// The service account of the pod this process runs in; nullopt outside of a pod.
[[nodiscard]] std::optional<ClusterConfig> inClusterConfig(
    const Environment& environment, std::string_view folder = "/var/run/secrets/kubernetes.io/serviceaccount");

// A kubeconfig when one was named or found, else the pod's account. Throws base::InvalidInput when there is neither.
[[nodiscard]] ClusterConfig findCluster(const KubeconfigChoice& choice, const Environment& environment);

// Opens no connection yet. `transport` outlives the client.
[[nodiscard]] std::unique_ptr<Client> connect(base::Runtime runtime, net::HttpTransport& transport,
                                              const ClusterConfig& config, ApiOptions options = {});

}  // namespace ingot::kube
