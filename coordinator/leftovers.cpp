#include "coordinator/leftovers.hpp"

#include "coordinator/webhooks/paths.hpp"
#include "coordinator/webhooks/registrations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ingot::coordinator {
namespace {

using base::Task;
using webhooks::ClientConfig;
using webhooks::Definition;
using Sentences = std::vector<std::string>;

const kube::Resource roles{.group = "rbac.authorization.k8s.io",
                           .version = "v1",
                           .kind = "ClusterRole",
                           .plural = "clusterroles",
                           .namespaced = false};
constexpr std::string_view rolesOfManagers[] = {"baremetal-operator-manager-role", "capm3-manager-role",
                                                "ipam-manager-role"};

class Search {
 public:
  Search(kube::Client& client, std::string namespace_, std::string service, MayRead mayRead)
      : client_(client),
        namespace_(std::move(namespace_)),
        service_(std::move(service)),
        mayRead_(std::move(mayRead)) {}

  template <webhooks::Type type>
  Task<void> configurations() {
    if (!co_await mayRead_("list", kube::Resource::of(webhooks::Configuration<type>::info), "")) co_return;
    std::set<std::string> ours;
    for (const auto& path : webhooks::admissionPaths())
      if (path.type == type) ours.insert(webhooks::configurationOf(path));
    for (const auto& configuration : co_await client_.list<webhooks::Configuration<type>>())
      for (const auto& webhook : configuration.webhooks)
        if (ours.contains(configuration.metadata.name) && isElsewhere(webhook.clientConfig))
          found_.push_back(fmt::format("{} of {} {} asks Service {}", webhook.name,
                                       webhooks::Configuration<type>::info.kind, configuration.metadata.name,
                                       nameOf(webhook.clientConfig)));
  }

  Task<void> definitions() {
    if (!co_await mayRead_("list", kube::Resource::of(Definition::info), "")) co_return;
    const auto ours = webhooks::convertedDefinitions();
    for (const auto& definition : co_await client_.list<Definition>())
      if (std::ranges::find(ours, definition.metadata.name) != ours.end() &&
          isElsewhere(definition.spec.conversion.webhook.clientConfig))
        found_.push_back(fmt::format("{} are converted by Service {}", definition.metadata.name,
                                     nameOf(definition.spec.conversion.webhook.clientConfig)));
  }

  Task<void> clusterRoles() {
    for (const auto name : rolesOfManagers)
      if (co_await mayRead_("get", roles, std::string(name)) &&
          co_await client_.api().get(roles, {"", std::string(name)}))
        found_.push_back(fmt::format("ClusterRole {} gives rights to nobody of ours", name));
  }

  Sentences found_;

 private:
  static std::string nameOf(const ClientConfig& config) {
    return fmt::format("{}/{}", config.service.namespace_, config.service.name);
  }
  [[nodiscard]] bool isElsewhere(const ClientConfig& config) const {
    return !config.service.name.empty() && (config.service.namespace_ != namespace_ || config.service.name != service_);
  }

  kube::Client& client_;
  std::string namespace_, service_;
  MayRead mayRead_;
};

}  // namespace

Task<Sentences> leftovers(kube::Client& client, std::string namespace_, std::string service, MayRead mayRead) {
  Search search(client, std::move(namespace_), std::move(service), std::move(mayRead));
  co_await search.configurations<webhooks::Type::validating>();
  co_await search.configurations<webhooks::Type::mutating>();
  co_await search.definitions();
  co_await search.clusterRoles();
  co_return std::move(search.found_);
}

}  // namespace ingot::coordinator
