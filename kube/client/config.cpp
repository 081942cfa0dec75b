#include "kube/client/config.hpp"

#include "base/base64.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "kube/client/kubeconfig.hpp"
#include "net/proxy.hpp"

#include <cstdlib>

namespace ingot::kube {
namespace {

[[noreturn]] void refuse(const std::string& where, const std::string& problem) {
  throw base::InvalidInput(where, problem);
}

struct Found {
  Kubeconfig config;
  std::string where;  // for messages
};

std::vector<std::string> splitPaths(const std::string& list) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin <= list.size();) {
    const auto end = std::min(list.find(':', begin), list.size());
    if (end > begin) out.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

Found mergeFiles(const std::vector<std::string>& paths, bool mustExist) {
  Found found;
  for (const auto& path : paths) {
    const auto text = base::readFileIfExists(path);
    if (!text && mustExist) refuse(path, "there is no such file");
    if (!text) continue;
    mergeKubeconfig(found.config, parseKubeconfig(path, *text));
    found.where += (found.where.empty() ? "" : ":") + path;
  }
  return found;
}

// Empty `where`: no file at all.
Found findFiles(const KubeconfigChoice& choice, const Environment& environment) {
  if (!choice.path.empty()) return mergeFiles({choice.path}, true);
  if (const auto list = environment("KUBECONFIG"); list && !list->empty()) return mergeFiles(splitPaths(*list), false);
  const auto home = environment("HOME");
  return home ? mergeFiles({*home + "/.kube/config"}, false) : Found{};
}

template <class Named>
const Named& byName(const std::vector<Named>& all, const std::string& name, const std::string& where,
                    std::string_view what) {
  const auto it = std::ranges::find(all, name, &Named::name);
  if (it == all.end()) refuse(where, fmt::format("there is no {} named \"{}\"", what, name));
  return *it;
}

// The content of FIELD-data, or of the file that FIELD names.
std::string content(const std::string& data, const std::string& file, const std::string& where, std::string_view what) {
  if (data.empty()) return file.empty() ? "" : base::readFile(file);
  auto bytes = base::fromBase64(data);
  if (!bytes) refuse(where, fmt::format("{}-data is not base64", what));
  return std::move(*bytes);
}

base::Secret proxyOf(const KubeconfigCluster& cluster, const std::string& where, const Environment& environment) {
  if (cluster.proxyUrl.empty()) return net::proxyFor(cluster.server, environment);
  auto proxy = net::normalisedProxy(cluster.proxyUrl);
  if (!proxy) refuse(where, "proxy-url is not the URL of an http, https or socks5 proxy");
  return base::Secret(std::move(*proxy));
}

void takeCluster(ClusterConfig& out, const KubeconfigCluster& cluster, const std::string& where,
                 const Environment& environment) {
  if (cluster.server.empty()) refuse(where, "the cluster has no server");
  out.server = cluster.server;
  while (out.server.ends_with('/')) out.server.pop_back();
  out.tls.verify = !cluster.insecure;
  out.tls.serverName = cluster.tlsServerName;
  out.proxy = proxyOf(cluster, where, environment);
  if (cluster.caData.empty()) {
    out.tls.caFile = cluster.caFile;
  } else {
    out.tls.caPem = content(cluster.caData, "", where, "certificate-authority");
  }
}

void takeUser(ClusterConfig& out, const KubeconfigUser& user, const std::string& where) {
  if (user.exec || user.authProvider)
    refuse(where, "user \"" + out.user + "\": exec and auth-provider are not supported; use a certificate or a token");
  out.tls.certificatePem = content(user.certificateData, user.certificateFile, where, "client-certificate");
  out.tls.privateKeyPem = base::Secret(content(user.keyData, user.keyFile, where, "client-key"));
  if (out.tls.certificatePem.empty() != out.tls.privateKeyPem.empty())
    refuse(where, "user \"" + out.user + "\": client-certificate and client-key belong together");
  if (user.certificateData.empty()) out.certificateFiles.certificate = user.certificateFile;
  if (user.keyData.empty()) out.certificateFiles.privateKey = user.keyFile;
  out.as = {.user = user.as, .uid = user.asUid, .groups = user.asGroups, .extra = user.asUserExtra};
  if (!out.as.isSendable())
    refuse(where, "user \"" + out.user + "\": whom to act as holds a line break or another control character");
  if (out.as.lacksUser())
    refuse(where, "user \"" + out.user + "\": as-uid, as-groups and as-user-extra need a user in \"as\"");
  out.token = base::Secret(user.token);
  out.tokenFile = user.tokenFile;
  out.basicUser = user.username;
  out.basicPassword = base::Secret(user.password);
}

BearerToken tokenOf(const ClusterConfig& config) {
  if (!config.tokenFile.empty()) return BearerToken(config.tokenFile);
  return config.token.empty() ? BearerToken() : BearerToken(config.token);
}

}  // namespace

Environment processEnvironment() {
  return [](std::string_view name) -> std::optional<std::string> {
    const char* value = std::getenv(std::string(name).c_str());
    return value ? std::optional<std::string>(value) : std::nullopt;
  };
}

ClusterConfig resolveKubeconfig(const Kubeconfig& kubeconfig, const KubeconfigChoice& choice, const std::string& where,
                                const Environment& environment) {
  ClusterConfig out;
  out.context = choice.context.empty() ? kubeconfig.currentContext : choice.context;
  if (out.context.empty()) refuse(where, "no context is chosen: set current-context or use --context");
  const KubeconfigContext& context = byName(kubeconfig.contexts, out.context, where, "context").context;
  out.user = context.user;
  if (!context.namespace_.empty()) out.namespace_ = context.namespace_;
  if (!choice.namespace_.empty()) out.namespace_ = choice.namespace_;
  takeCluster(out, byName(kubeconfig.clusters, context.cluster, where, "cluster").cluster, where, environment);
  if (!context.user.empty()) takeUser(out, byName(kubeconfig.users, context.user, where, "user").user, where);
  return out;
}

ClusterConfig loadKubeconfig(const KubeconfigChoice& choice, const Environment& environment) {
  const Found found = findFiles(choice, environment);
  if (found.where.empty()) refuse("kubeconfig", "none found: use --kubeconfig or set KUBECONFIG");
  return resolveKubeconfig(found.config, choice, found.where, environment);
}

std::optional<ClusterConfig> inClusterConfig(const Environment& environment, std::string_view folder) {
  const auto host = environment("KUBERNETES_SERVICE_HOST");
  const auto port = environment("KUBERNETES_SERVICE_PORT");
  const std::string base(folder);
  if (!host || host->empty() || !port || port->empty()) return std::nullopt;
  if (!base::readFileIfExists(base + "/token")) return std::nullopt;

  ClusterConfig out;
  out.server = "https://" + base::hostAndPort(*host, *port);
  out.proxy = net::proxyFor(out.server, environment);
  out.tls.caFile = base + "/ca.crt";
  out.tokenFile = base + "/token";
  out.podNamespace = base::trimmed(base::readFileIfExists(base + "/namespace").value_or(""));
  if (!out.podNamespace.empty()) out.namespace_ = out.podNamespace;
  out.context = "in-cluster";
  return out;
}

ClusterConfig findCluster(const KubeconfigChoice& choice, const Environment& environment) {
  const Found found = findFiles(choice, environment);
  if (!found.where.empty()) return resolveKubeconfig(found.config, choice, found.where, environment);
  auto pod = inClusterConfig(environment);
  if (!pod) refuse("kubeconfig", "none found, and this is not a pod: use --kubeconfig or set KUBECONFIG");
  if (!choice.namespace_.empty()) pod->namespace_ = choice.namespace_;
  return std::move(*pod);
}

std::unique_ptr<Client> connect(base::Runtime runtime, net::HttpTransport& transport, const ClusterConfig& config,
                                ApiOptions options) {
  net::ClientOptions http{.baseUrl = config.server,
                          .tls = config.tls,
                          .basicUser = config.basicUser,
                          .basicPassword = config.basicPassword,
                          .proxy = config.proxy,
                          .userAgent = options.userAgent};
  auto connections = std::make_unique<Connections>(runtime, transport, std::move(http), config.certificateFiles);
  return std::make_unique<Client>(std::make_unique<Api>(std::move(runtime), std::move(connections), tokenOf(config),
                                                        headersOf(config.as), std::move(options)));
}

}  // namespace ingot::kube
