#include "sim/firstboot/membership.hpp"

#include "base/text.hpp"
#include "sim/firstboot/error.hpp"

namespace ingot::sim::firstboot {

namespace {

constexpr std::string_view defaultPki = "/etc/kubernetes/pki";

const json::Value& document(const KubeadmCommand& command, std::string_view kind) {
  const auto* found = command.find(kind);
  if (!found) throw BootError(fmt::format("{} has no {}", command.configPath, kind));
  return *found;
}

std::string required(const json::Value& from, std::initializer_list<std::string_view> path, std::string_view kind) {
  auto text = json::textAt(from, path);
  if (text.empty()) throw BootError(fmt::format("{} has no {}", kind, fmt::join(path, ".")));
  return text;
}

// The endpoint with kubeadm's port where it names none.
std::string urlOf(const std::string& endpoint) {
  const auto colon = endpoint.rfind(':');
  const bool hasPort = colon != std::string::npos && endpoint.find(']', colon) == std::string::npos;
  return fmt::format("https://{}{}", endpoint, hasPort ? "" : ":6443");
}

// A list of {name, value} as of v1beta4, a mapping before.
std::map<std::string, std::string> extraArguments(const json::Value& registration) {
  std::map<std::string, std::string> all;
  if (const auto* list = json::arrayAt(registration, {"kubeletExtraArgs"}))
    for (const auto& each : *list) all[json::textAt(each, {"name"})] = json::textAt(each, {"value"});
  if (const auto* mapping = json::objectAt(registration, {"kubeletExtraArgs"}))
    for (const auto& [name, value] : *mapping)
      if (value.is_string()) all[name] = std::string(value.get_string());
  return all;
}

std::vector<std::string_view> splitAtCommas(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(','), text.size());
    if (const auto part = base::trimmed(text.substr(0, end)); !part.empty()) parts.push_back(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::map<std::string, std::string> labelsIn(std::string_view text) {
  std::map<std::string, std::string> labels;
  for (const auto pair : splitAtCommas(text)) {
    const auto equals = std::min(pair.find('='), pair.size());
    labels[std::string(pair.substr(0, equals))] = std::string(pair.substr(std::min(equals + 1, pair.size())));
  }
  return labels;
}

// key=value:Effect or key:Effect.
json::Array taintsIn(std::string_view text) {
  json::Array taints;
  for (const auto each : splitAtCommas(text)) {
    const auto colon = each.rfind(':');
    if (colon == std::string_view::npos) throw BootError(fmt::format("register-with-taints: '{}' has no effect", each));
    const auto pair = each.substr(0, colon);
    const auto equals = pair.find('=');
    json::Object taint{{"key", pair.substr(0, equals)}, {"effect", each.substr(colon + 1)}};
    if (equals != std::string_view::npos) taint["value"] = pair.substr(equals + 1);
    taints.push_back(std::move(taint));
  }
  return taints;
}

// Those written down, an empty list too; otherwise those that kubeadm gives to a control plane.
json::Array taintsOf(const json::Value& registration, bool controlPlane) {
  if (const auto* written = json::arrayAt(registration, {"taints"})) return *written;
  if (!controlPlane) return {};
  return {json::Object{{"key", controlPlaneRole}, {"effect", "NoSchedule"}}};
}

NodeRegistration registrationOf(const json::Value& configuration, const std::string& hostname, bool controlPlane) {
  const auto* found = json::find(configuration, {"nodeRegistration"});
  const json::Value registration = found ? *found : json::Value(json::Object{});
  auto arguments = extraArguments(registration);
  auto name = json::textAt(registration, {"name"});
  if (name.empty()) name = hostname;
  if (name.empty()) throw BootError("neither nodeRegistration nor the meta data names the Node");
  NodeRegistration node{.name = base::lower(base::trimmed(name)),
                        .providerId = arguments["provider-id"],
                        .labels = labelsIn(arguments["node-labels"]),
                        .taints = taintsOf(registration, controlPlane)};
  for (auto& taint : taintsIn(arguments["register-with-taints"])) node.taints.push_back(std::move(taint));
  return node;
}

const std::string& fileAt(const FirstBoot& boot, const std::string& path) {
  const auto found = boot.files.find(path);
  if (found == boot.files.end()) throw BootError(fmt::format("write_files writes no {}", path));
  return found->second;
}

ClusterAuthority authorityIn(const FirstBoot& boot, const std::string& folder) {
  return {fileAt(boot, folder + "/ca.crt"), base::Secret(fileAt(boot, folder + "/ca.key"))};
}

std::string certificatesFolder(const json::Value& clusterConfiguration) {
  auto folder = json::textAt(clusterConfiguration, {"certificatesDir"});
  return folder.empty() ? std::string(defaultPki) : folder;
}

// A JoinConfiguration does not say where the files are: kubeadm reads that from the cluster. The one other authority
// with a file of this name is etcd's.
std::string certificatesFolder(const FirstBoot& boot) {
  constexpr std::string_view key = "/ca.key", etcd = "/etcd";
  std::vector<std::string> folders;
  for (const auto& [path, content] : boot.files) {
    if (!path.ends_with(key)) continue;
    if (auto folder = path.substr(0, path.size() - key.size()); !folder.ends_with(etcd))
      folders.push_back(std::move(folder));
  }
  if (folders.size() > 1)
    throw BootError(fmt::format("write_files writes ca.key to more than one folder: {}", fmt::join(folders, ", ")));
  return folders.empty() ? std::string(defaultPki) : folders.front();
}

Membership ofFirst(const FirstBoot& boot) {
  const auto& configuration = document(*boot.kubeadm, "ClusterConfiguration");
  const auto* init = boot.kubeadm->find("InitConfiguration");
  return {.serverUrl = urlOf(required(configuration, {"controlPlaneEndpoint"}, "ClusterConfiguration")),
          .node = registrationOf(init ? *init : json::Value(json::Object{}), boot.hostname, true),
          .authority = authorityIn(boot, certificatesFolder(configuration)),
          .clusterConfiguration = configuration};
}

Membership ofJoining(const FirstBoot& boot) {
  constexpr std::string_view kind = "JoinConfiguration";
  const auto& configuration = document(*boot.kubeadm, kind);
  const auto* controlPlane = json::find(configuration, {"controlPlane"});
  const bool isControlPlane = controlPlane && !controlPlane->is_null();
  Membership member{
      .serverUrl = urlOf(required(configuration, {"discovery", "bootstrapToken", "apiServerEndpoint"}, kind)),
      .node = registrationOf(configuration, boot.hostname, isControlPlane)};
  if (isControlPlane) {
    member.authority = authorityIn(boot, certificatesFolder(boot));
    return member;
  }
  const auto& bootstrap = *json::find(configuration, {"discovery", "bootstrapToken"});
  Discovery discovery{.token = base::Secret(required(configuration, {"discovery", "bootstrapToken", "token"}, kind)),
                      .unverified = json::boolAt(bootstrap, {"unsafeSkipCAVerification"}).value_or(false)};
  if (const auto* hashes = json::arrayAt(bootstrap, {"caCertHashes"}))
    for (const auto& hash : *hashes)
      if (hash.is_string()) discovery.caCertHashes.emplace_back(hash.get_string());
  if (discovery.caCertHashes.empty() && !discovery.unverified)
    throw BootError(
        fmt::format("{} has neither discovery.bootstrapToken.caCertHashes nor unsafeSkipCAVerification", kind));
  member.discovery = std::move(discovery);
  return member;
}

}  // namespace

std::optional<Membership> membershipOf(const FirstBoot& boot) {
  if (!boot.kubeadm) return std::nullopt;
  return boot.kubeadm->verb == KubeadmVerb::init ? ofFirst(boot) : ofJoining(boot);
}

}  // namespace ingot::sim::firstboot
