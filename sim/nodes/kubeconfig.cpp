#include "sim/nodes/kubeconfig.hpp"

#include "base/base64.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "json/yaml.hpp"

#include <filesystem>

namespace ingot::sim::nodes {

namespace {

class KubeconfigReader {
 public:
  explicit KubeconfigReader(std::string path) : path_(std::move(path)) {
    try {
      document_ = json::parseYamlValue(base::readFile(path_));
    } catch (const json::YamlError& error) {
      fail(error.what());
    }
  }

  kubelet::Access read() const {
    const auto context = entry("contexts", json::textAt(document_, {"current-context"}), "context");
    const auto cluster = entry("clusters", json::textAt(context, {"cluster"}), "cluster");
    const auto user = entry("users", json::textAt(context, {"user"}), "user");
    kubelet::Access access{.serverUrl = json::textAt(cluster, {"server"}),
                           .caPem = text(cluster, "certificate-authority"),
                           .verify = !json::boolAt(cluster, {"insecure-skip-tls-verify"}).value_or(false),
                           .client = {text(user, "client-certificate"), base::Secret(text(user, "client-key"))},
                           .token = base::Secret(tokenOf(user))};
    if (access.serverUrl.empty()) fail("the cluster has no server");
    while (access.serverUrl.ends_with('/')) access.serverUrl.pop_back();
    return access;
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const { throw base::InvalidInput(path_, problem); }

  json::Value entry(std::string_view list, const std::string& name, std::string_view member) const {
    if (const auto* all = json::arrayAt(document_, {list}))
      for (const auto& each : *all)
        if (json::textAt(each, {"name"}) == name)
          if (const auto* found = json::find(each, {member})) return *found;
    fail(fmt::format("no '{}' among its {}", name, list));
  }

  std::string file(const std::string& name) const {
    const std::filesystem::path path(name);
    return base::readFile((path.is_absolute() ? path : std::filesystem::path(path_).parent_path() / path).string());
  }

  // NAME-data in base64, or the file NAME.
  std::string text(const json::Value& from, const std::string& name) const {
    if (const auto coded = json::textAt(from, {name + "-data"}); !coded.empty()) {
      auto bytes = base::fromBase64(coded);
      if (!bytes) fail(name + "-data is not base64");
      return std::move(*bytes);
    }
    const auto path = json::textAt(from, {name});
    return path.empty() ? "" : file(path);
  }

  std::string tokenOf(const json::Value& user) const {
    const auto path = json::textAt(user, {"tokenFile"});
    return path.empty() ? json::textAt(user, {"token"}) : std::string(base::trimmed(file(path)));
  }

  std::string path_;
  json::Value document_;
};

}  // namespace

kubelet::Access readKubeconfig(const std::string& path) { return KubeconfigReader(path).read(); }

}  // namespace ingot::sim::nodes
