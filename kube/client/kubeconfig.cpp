#include "kube/client/kubeconfig.hpp"

#include "json/yaml.hpp"

namespace ingot::kube {
namespace {

void makeAbsolute(std::string& file, const std::string& folder) {
  if (!file.empty() && !file.starts_with('/')) file = folder + "/" + file;
}

template <class Named>
void addMissing(std::vector<Named>& into, std::vector<Named>& from) {
  for (Named& one : from)
    if (std::ranges::find(into, one.name, &Named::name) == into.end()) into.push_back(std::move(one));
}

Kubeconfig decodeText(const std::string& path, std::string_view text) {
  try {
    return json::decode<Kubeconfig>(json::parseYamlValue(text));
  } catch (const json::YamlError& e) {
    throw base::InvalidInput(path, e.what());
  } catch (const json::DecodeError& e) {
    throw base::InvalidInput(path, e.what());
  }
}

}  // namespace

Kubeconfig parseKubeconfig(const std::string& path, std::string_view text) {
  Kubeconfig config = decodeText(path, text);
  const auto slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash);
  for (auto& [name, cluster] : config.clusters) makeAbsolute(cluster.caFile, folder);
  for (auto& [name, user] : config.users)
    for (std::string* file : {&user.certificateFile, &user.keyFile, &user.tokenFile}) makeAbsolute(*file, folder);
  return config;
}

void mergeKubeconfig(Kubeconfig& into, Kubeconfig from) {
  if (into.currentContext.empty()) into.currentContext = std::move(from.currentContext);
  addMissing(into.clusters, from.clusters);
  addMissing(into.users, from.users);
  addMissing(into.contexts, from.contexts);
}

}  // namespace ingot::kube
