// A kubeconfig file as it is written. kube/client/config.hpp turns it into a ClusterConfig.
#pragma once

#include "json/describe.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::kube {

struct KubeconfigCluster {
  std::string server, caFile, caData, tlsServerName, proxyUrl;
  bool insecure = false;

  static void describe(auto& v) {
    v.field("server", &KubeconfigCluster::server);
    v.field("certificate-authority", &KubeconfigCluster::caFile);
    v.field("certificate-authority-data", &KubeconfigCluster::caData);
    v.field("tls-server-name", &KubeconfigCluster::tlsServerName);
    v.field("proxy-url", &KubeconfigCluster::proxyUrl);
    v.field("insecure-skip-tls-verify", &KubeconfigCluster::insecure);
  }
};

struct KubeconfigUser {
  std::string certificateFile, certificateData, keyFile, keyData, token, tokenFile, username, password;
  std::string as, asUid;  // impersonation
  std::vector<std::string> asGroups;
  std::map<std::string, std::vector<std::string>> asUserExtra;
  std::optional<json::Value> exec, authProvider;

  static void describe(auto& v) {
    v.field("client-certificate", &KubeconfigUser::certificateFile);
    v.field("client-certificate-data", &KubeconfigUser::certificateData);
    v.field("client-key", &KubeconfigUser::keyFile);
    v.field("client-key-data", &KubeconfigUser::keyData);
    v.field("token", &KubeconfigUser::token);
    v.field("tokenFile", &KubeconfigUser::tokenFile);
    v.field("username", &KubeconfigUser::username);
    v.field("password", &KubeconfigUser::password);
    v.field("as", &KubeconfigUser::as);
    v.field("as-uid", &KubeconfigUser::asUid);
    v.field("as-groups", &KubeconfigUser::asGroups);
    v.field("as-user-extra", &KubeconfigUser::asUserExtra);
    v.field("exec", &KubeconfigUser::exec);
    v.field("auth-provider", &KubeconfigUser::authProvider);
  }
};

struct KubeconfigContext {
  std::string cluster, user, namespace_;

  static void describe(auto& v) {
    v.field("cluster", &KubeconfigContext::cluster);
    v.field("user", &KubeconfigContext::user);
    v.field("namespace", &KubeconfigContext::namespace_);
  }
};

struct NamedCluster {
  std::string name;
  KubeconfigCluster cluster;

  static void describe(auto& v) {
    v.field("name", &NamedCluster::name);
    v.field("cluster", &NamedCluster::cluster);
  }
};

struct NamedUser {
  std::string name;
  KubeconfigUser user;

  static void describe(auto& v) {
    v.field("name", &NamedUser::name);
    v.field("user", &NamedUser::user);
  }
};

struct NamedContext {
  std::string name;
  KubeconfigContext context;

  static void describe(auto& v) {
    v.field("name", &NamedContext::name);
    v.field("context", &NamedContext::context);
  }
};

struct Kubeconfig {
  std::string currentContext;
  std::vector<NamedCluster> clusters;
  std::vector<NamedUser> users;
  std::vector<NamedContext> contexts;

  static void describe(auto& v) {
    v.field("current-context", &Kubeconfig::currentContext);
    v.field("clusters", &Kubeconfig::clusters);
    v.field("users", &Kubeconfig::users);
    v.field("contexts", &Kubeconfig::contexts);
  }
};

// Relative file names become relative to the folder of `path`. Throws base::InvalidInput with the path and line.
[[nodiscard]] Kubeconfig parseKubeconfig(const std::string& path, std::string_view text);

// Adds what `into` does not have by name.
void mergeKubeconfig(Kubeconfig& into, Kubeconfig from);

}  // namespace ingot::kube
