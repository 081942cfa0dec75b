#include "coordinator/workload/kubeconfig.hpp"

#include "base/base64.hpp"
#include "json/yaml.hpp"
#include "net/url.hpp"

#include <array>

namespace ingot::coordinator::workload {
namespace {

// Those of Cluster API have 6 KB and 40 nodes. YAML takes long to read, on the thread that everybody shares.
constexpr json::YamlLimits kYamlLimits{.bytes = 128u << 10, .depth = 16, .nodes = 2000};

[[noreturn]] void refuse(const std::string& problem) { throw base::InvalidInput("the kubeconfig", problem); }

struct Field {
  std::string_view name;
  bool isSet;
  std::string_view why;
};

void refuseSet(std::initializer_list<Field> fields) {
  for (const Field& field : fields)
    if (field.isSet) refuse(fmt::format("{} is refused: {}", field.name, field.why));
}

kube::Kubeconfig parse(const base::Secret& text) {
  try {
    return json::decode<kube::Kubeconfig>(json::parseYamlValue(text.reveal(), kYamlLimits));
  } catch (const json::YamlError& e) {
    refuse(fmt::format("it is not YAML, or too large (line {})", e.line()));
  } catch (const json::DecodeError&) {
    refuse("its fields are not those of a kubeconfig");
  }
}

template <class Named>
const Named& named(const std::vector<Named>& all, const std::string& name, const std::string& problem) {
  const auto found = std::ranges::find(all, name, &Named::name);
  if (found == all.end()) refuse(problem);
  return *found;
}

bool isOneLine(std::string_view text) {
  return std::ranges::none_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

// It becomes part of a URL.
bool isHostName(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '.' || c == '-'; });
}

constexpr std::size_t kLongestServer = 512;  // it is shown wherever the cluster is spoken of

void checkCluster(const kube::KubeconfigCluster& cluster) {
  constexpr std::string_view noFiles = "a Secret may not name files of this process";
  refuseSet({{"certificate-authority", !cluster.caFile.empty(), noFiles},
             {"proxy-url", !cluster.proxyUrl.empty(), "a Secret may not choose the way out of this network"}});
  const auto url = net::parseUrl(cluster.server);
  if (!url || url->scheme != "https" || !url->query.empty())
    refuse("server must look like https://host:port, without user name and password in it");
  if (cluster.server.size() > kLongestServer)
    refuse(fmt::format("server is longer than {} characters", kLongestServer));
  if (cluster.insecure && !cluster.caData.empty())
    refuse("insecure-skip-tls-verify and certificate-authority-data exclude each other");
  if (!isHostName(cluster.tlsServerName)) refuse("tls-server-name is not the name of a host");
}

void checkUser(const kube::KubeconfigUser& user) {
  constexpr std::string_view noPrograms = "a Secret may not make this process get credentials elsewhere";
  constexpr std::string_view noFiles = "a Secret may not name files of this process";
  constexpr std::string_view nobodyElse = "a Secret may not make this process act as somebody else";
  refuseSet({{"exec", user.exec.has_value(), noPrograms},
             {"auth-provider", user.authProvider.has_value(), noPrograms},
             {"client-certificate", !user.certificateFile.empty(), noFiles},
             {"client-key", !user.keyFile.empty(), noFiles},
             {"tokenFile", !user.tokenFile.empty(), noFiles},
             {"as", !user.as.empty(), nobodyElse},
             {"as-uid", !user.asUid.empty(), nobodyElse},
             {"as-groups", !user.asGroups.empty(), nobodyElse},
             {"as-user-extra", !user.asUserExtra.empty(), nobodyElse}});
  if (user.certificateData.empty() != user.keyData.empty())
    refuse("client-certificate-data and client-key-data belong together");
  if (!user.token.empty() && !user.username.empty()) refuse("token and username exclude each other");
  if (!isOneLine(user.token)) refuse("token holds a line break or another control character");
  if (!isOneLine(user.username) || !isOneLine(user.password))
    refuse("username or password holds a line break or another control character");
}

}  // namespace

kube::ClusterConfig readKubeconfig(const base::Secret& text, const kube::Environment& environment) {
  const kube::Kubeconfig config = parse(text);
  const auto& context =
      named(config.contexts, config.currentContext, "current-context names none of its contexts").context;
  checkCluster(named(config.clusters, context.cluster, "the context names none of its clusters").cluster);
  if (!context.user.empty()) checkUser(named(config.users, context.user, "the context names none of its users").user);
  return kube::resolveKubeconfig(config, {}, "the kubeconfig", environment);
}

}  // namespace ingot::coordinator::workload
