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
using Leftovers = std::vector<Leftover>;

const kube::Resource roles{.group = "rbac.authorization.k8s.io",
                           .version = "v1",
                           .kind = "ClusterRole",
                           .plural = "clusterroles",
                           .namespaced = false};
const kube::Resource services{.group = "", .version = "v1", .kind = "Service", .plural = "services"};
constexpr std::string_view rolesOfManagers[] = {"baremetal-operator-manager-role", "capm3-manager-role",
                                                "ipam-manager-role"};

class Search {
 public:
  Search(kube::Client& client, std::optional<std::string> namespace_, std::string service, MayRead mayRead)
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
          found_.push_back(
              {fmt::format("{} of {} {} asks Service {}", webhook.name, webhooks::Configuration<type>::info.kind,
                           configuration.metadata.name, nameOf(webhook.clientConfig))});
  }

  Task<void> definitions() {
    if (!co_await mayRead_("list", kube::Resource::of(Definition::info), "")) co_return;
    const auto ours = webhooks::convertedDefinitions();
    // The embedded API asks no webhook, and converts by itself.
    const auto asking = kube::Resource::of(webhooks::Configuration<webhooks::Type::validating>::info);
    const bool asksServices = co_await mayRead_("list", asking, "");
    for (const auto& definition : co_await client_.list<Definition>()) {
      const auto& asked = definition.spec.conversion.webhook.clientConfig;
      if (std::ranges::find(ours, definition.metadata.name) == ours.end() || asked.service.name.empty()) continue;
      const auto name = nameOf(asked);
      if (asksServices && co_await isMissing(asked.service))
        found_.push_back(
            {fmt::format("{} are converted by Service {}, which is not there", definition.metadata.name, name), true});
      else if (isElsewhere(asked))
        found_.push_back({fmt::format("{} are converted by Service {}", definition.metadata.name, name)});
    }
  }

  Task<void> clusterRoles() {
    for (const auto name : rolesOfManagers)
      if (co_await mayRead_("get", roles, std::string(name)) &&
          co_await client_.api().get(roles, {"", std::string(name)}))
        found_.push_back({fmt::format("ClusterRole {} gives rights to nobody of ours", name)});
  }

  Leftovers found_;

 private:
  static std::string nameOf(const ClientConfig& config) {
    return fmt::format("{}/{}", config.service.namespace_, config.service.name);
  }
  [[nodiscard]] bool isElsewhere(const ClientConfig& config) const {
    const auto& asked = config.service;
    return !asked.name.empty() && (asked.name != service_ || (namespace_ && asked.namespace_ != *namespace_));
  }
  // Told only to whom may see Services everywhere.
  Task<bool> isMissing(webhooks::ServiceOf service) {
    if (!co_await mayRead_("get", services, service.name)) co_return false;
    co_return !co_await client_.api().get(services, {service.namespace_, service.name});
  }

  kube::Client& client_;
  std::optional<std::string> namespace_;
  std::string service_;
  MayRead mayRead_;
};

}  // namespace

Task<Leftovers> leftovers(kube::Client& client, std::optional<std::string> namespace_, std::string service,
                          MayRead mayRead) {
  Search search(client, std::move(namespace_), std::move(service), std::move(mayRead));
  co_await search.configurations<webhooks::Type::validating>();
  co_await search.configurations<webhooks::Type::mutating>();
  co_await search.definitions();
  co_await search.clusterRoles();
  co_return std::move(search.found_);
}

}  // namespace ingot::coordinator
