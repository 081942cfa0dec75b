#include "coordinator/check.hpp"

#include "api/agent/provisioning_agent.hpp"
#include "api/capi/machine.hpp"
#include "api/kinds/kinds.hpp"
#include "coordinator/agents_way.hpp"
#include "coordinator/host/ironic/settings.hpp"
#include "coordinator/leftovers.hpp"
#include "coordinator/managers/deployments.hpp"
#include "coordinator/own_calls.hpp"
#include "coordinator/own_namespace.hpp"
#include "coordinator/rights/rights.hpp"
#include "coordinator/webhooks/certificate_files.hpp"
#include "ironic-client/client.hpp"
#include "ironic-client/error.hpp"
#include "kube/client/access_review.hpp"
#include "kube/client/client.hpp"
#include "kube/core/error.hpp"
#include "kube/runtime/served_versions.hpp"
#include "net/certificates.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>
#include <set>

namespace ingot::coordinator {
namespace {

using base::Task;
using rights::Reach;
using rights::Right;
using Verdict = Finding::Verdict;
using Findings = std::vector<Finding>;

constexpr std::size_t mostNamed = 8;
constexpr std::string_view ofOurs = "app.kubernetes.io/name=ingot-coordinator";  // deploy/manager

std::string named(const std::set<std::string>& names) {
  const auto more = names.size() > mostNamed ? fmt::format(" and {} more", names.size() - mostNamed) : std::string();
  return fmt::format("{}{}", fmt::join(names | std::views::take(mostNamed), ", "), more);
}

// The API, as whoever runs this is known there.
class Cluster {
 public:
  Cluster(base::Runtime runtime, const Options& options, net::HttpTransport& transport, kube::Environment environment)
      : options_(options),
        clock_(runtime.clock),
        config_(kube::findCluster({.path = options.kubeconfig}, environment)),
        own_(ownNamespace(options, environment, config_)),
        isOwnTold_(!environment("POD_NAMESPACE").value_or("").empty() || !config_.podNamespace.empty()),
        pod_(ownPod(environment)),
        client_(kube::connect(runtime, transport, config_, ownCalls())) {}

  Task<Finding> answers() {
    const auto version = co_await client_->api().raw("GET", "/version");
    co_return Finding{
        .what = "API",
        .text = fmt::format("{} is Kubernetes {}", config_.server, json::textAt(version, {"gitVersion"}))};
  }

  // Where the coordinator is that is meant: whoever asks from outside of a pod is elsewhere.
  Task<Findings> installation() {
    if (isOwnTold_) {
      isInCluster_ = true;
      co_return Findings{};
    }
    const auto deployments = kube::Resource::of(managers::Deployment::info);
    std::set<std::string> spaces;
    const bool maySee = co_await mayRead("list", deployments, "");
    if (maySee)
      for (const auto& each : co_await client_->list<managers::Deployment>({.labelSelector = std::string(ofOurs)}))
        spaces.insert(each.metadata.namespace_);
    isInCluster_ = isOwnTold_ = spaces.size() == 1;
    if (isOwnTold_) own_ = *spaces.begin();
    if (isOwnTold_)
      co_return Findings{{.what = "place", .text = fmt::format("the coordinator is in namespace {}", own_)}};
    if (maySee && spaces.empty()) co_return Findings{};  // it runs on some machine
    co_return Findings{
        {Verdict::note, "place",
         fmt::format("{}, so that rights are asked for in namespace {}: let POD_NAMESPACE say where it is",
                     maySee ? "coordinators are in namespaces " + named(spaces)
                            : std::string("where the coordinator is may not be read"),
                     own_)}};
  }

  Task<Findings> kinds() {
    Findings findings;
    std::set<std::string> missing, later;
    std::size_t served = 0;
    for (const auto& row : api::everyKind()) {
      if (row.set == api::KindSet::clusterApiCore) continue;
      const auto versions = co_await kube::servedVersions(client_->api(), kube::Resource::of(*row.stored));
      const bool isServed = std::ranges::find(versions, row.stored->version) != versions.end();
      served += isServed ? 1 : 0;
      if (!isServed) (isNeeded(row.set) ? missing : later).insert(row.stored->resource());
    }
    findings.push_back({.what = "kinds", .text = fmt::format("{} of ours are served", served)});
    if (!missing.empty())
      findings.push_back({Verdict::bad, "kinds",
                          named(missing) + ": not served (apply deploy/default, or the components of the release)"});
    if (!later.empty())
      findings.push_back({Verdict::note, "kinds", named(later) + ": not served, nothing here needs them"});
    const auto machine = co_await kube::servedVersions(client_->api(), kube::Resource::of(api::capi::Machine::info));
    const bool hasMachines = std::ranges::find(machine, api::capi::Machine::info.version) != machine.end();
    if (partsOf(options_).contains(Part::machine) && !hasMachines)
      findings.push_back(
          {Verdict::note, "kinds",
           fmt::format("Cluster API does not serve Machines {}: there is nothing to do for Metal3Machines",
                       api::capi::Machine::info.version)});
    co_return findings;
  }

  Task<Findings> rights() {
    const auto parts = partsOf(options_);
    std::set<std::string> denied, asked;
    for (const auto& right : coordinator::rights::rights()) {
      const bool isMeant = (!right.part || parts.contains(*right.part)) &&
                           (right.reach != Reach::webhooks || options_.webhookCerts == WebhookCerts::self) &&
                           (right.reach != Reach::migration || migratesKinds(options_));
      if (!isMeant) continue;
      for (const auto& where : placesOf(right.reach))
        for (const auto verb : right.verbs)
          for (const auto& name : right.names.empty() ? std::vector<std::string>{""} : right.names) {
            auto text = textOf(right, verb, where, name);
            if (!asked.insert(text).second || co_await isAllowed(right, verb, where, name)) continue;
            denied.insert(std::move(text));
          }
    }
    if (denied.empty())
      co_return Findings{{.what = "rights", .text = fmt::format("all {} that are needed are given", asked.size())}};
    Findings findings;
    for (const auto& text : denied) findings.push_back({Verdict::bad, "rights", "may not " + text});
    co_return findings;
  }

  Task<Findings> neighbours() {
    Findings findings = co_await activeManagers();
    if (webhookPortOf(options_) != 0)
      for (auto& [text, harms] :
           co_await leftovers(*client_, isOwnTold_ ? std::optional(own_) : std::nullopt, options_.webhookService,
                              [this](std::string_view verb, const kube::Resource& resource, std::string name) {
                                return mayRead(verb, resource, std::move(name));
                              }))
        findings.push_back({harms ? Verdict::bad : Verdict::note, "Metal3", std::move(text)});
    if (!absent_.empty())
      findings.push_back(
          {Verdict::note, "Metal3", named(absent_) + ": this API has none, nothing is looked for there"});
    co_return findings;
  }

  Task<Finding> agents() {
    const auto all = co_await client_->list<api::ProvisioningAgent>();
    const auto approved = std::ranges::count_if(all, [](const auto& agent) { return agent.spec.approved; });
    const auto connected = std::ranges::count_if(all, [](const auto& agent) { return agent.status.connected; });
    const auto way = co_await agentsWay();
    const bool areNeeded = approved > 0 || options_.provisioner == Backend::agent;
    co_return Finding{
        way.leads                   ? Verdict::good
        : areNeeded && !way.mayPass ? Verdict::bad
                                    : Verdict::note,
        "agents", fmt::format("{} known, {} approved, {} connected; {}", all.size(), approved, connected, way.text)};
  }

 private:
  Task<AgentsWay> agentsWay() {
    if (!isInCluster_) co_return wayToMachine(options_.agentsEndpoint, net::machineNames());
    for (const auto& resource : readForAgentsWay())
      if (!co_await has(resource))
        co_return wayToMachine(options_.agentsEndpoint, net::machineNames());
      else if (!co_await isAllowed({.group = resource.group, .resource = resource.plural, .verbs = {}}, "list", own_,
                                   ""))
        co_return AgentsWay{
            .text = fmt::format("by which Service they come is not known (list {} in {})", resource.plural, own_)};
    co_return co_await wayThroughServices(*client_, clock_, {.key = {own_, options_.leaseName}, .standsBy = standsBy_});
  }

  Task<Findings> activeManagers() {
    Findings findings;
    if (!co_await has(kube::Resource::of(managers::Deployment::info))) co_return findings;
    for (const auto& manager : managers::managersOf(partsOf(options_))) try {
        for (const auto& deployment : co_await client_->list<managers::Deployment>(
                 {.fieldSelector = fmt::format("metadata.name={}", manager.deployment)})) {
          const auto found = managers::objection(deployment, {own_, pod_});
          if (!found || !co_await managers::mayManage(client_->api(), manager, deployment, namespacesOf(options_)))
            continue;
          standsBy_ = !options_.besideMetal3;
          findings.push_back({options_.besideMetal3 ? Verdict::note : Verdict::bad, "Metal3",
                              *found + (options_.besideMetal3 ? "" : ", it acts on the same objects: scale it to 0")});
        }
      } catch (const kube::Error& error) {
        if (error.code() != kube::Error::Code::forbidden) throw;
        findings.push_back({Verdict::bad, "Metal3",
                            fmt::format("whether {} runs cannot be told: {}", manager.deployment, error.what())});
      }
    if (findings.empty()) findings.push_back({.what = "Metal3", .text = "none of its managers runs"});
    co_return findings;
  }

  // An API that is no whole cluster, as the embedded one, has not everything.
  Task<bool> has(kube::Resource resource) {
    if (resource.group.empty() && co_await coreHas(resource.plural)) co_return true;
    if (!(co_await kube::servedVersions(client_->api(), resource)).empty()) co_return true;
    absent_.insert(resource.group.empty() ? std::string(resource.plural)
                                          : fmt::format("{}.{}", resource.plural, resource.group));
    co_return false;
  }

  Task<bool> coreHas(std::string_view plural) {
    const auto answer = co_await client_->api().raw("GET", "/api/v1");
    const auto* resources = json::find(answer, {"resources"});
    co_return resources && resources->is_array() &&
        std::ranges::any_of(resources->as_array(),
                            [&](const json::Value& each) { return json::textAt(each, {"name"}) == plural; });
  }

  Task<bool> mayRead(std::string_view verb, kube::Resource resource, std::string name) {
    if (!co_await has(resource)) co_return false;
    co_return co_await isAllowed({.group = resource.group, .resource = resource.plural, .verbs = {}}, verb, "",
                                 std::move(name));
  }

  [[nodiscard]] bool isNeeded(api::KindSet set) const {
    const auto parts = partsOf(options_);
    switch (set) {
      case api::KindSet::hosts: return parts.contains(Part::host);
      case api::KindSet::ipam: return parts.contains(Part::ipam);
      case api::KindSet::clusterApi:
        return std::ranges::any_of(parts, [](Part part) { return part != Part::host && part != Part::ipam; });
      case api::KindSet::companions:
      case api::KindSet::clusterApiCore: return false;
    }
    std::unreachable();
  }

  [[nodiscard]] std::vector<std::string> placesOf(Reach reach) const {
    switch (reach) {
      case Reach::own: return {own_};
      case Reach::watched:
        if (auto namespaces = namespacesOf(options_); !namespaces.empty()) return namespaces;
        return {""};
      case Reach::cluster:
      case Reach::migration:
      case Reach::webhooks: return {""};
    }
    std::unreachable();
  }

  static std::string textOf(const Right& right, std::string_view verb, const std::string& where,
                            const std::string& name) {
    const auto group = right.group.empty() ? std::string() : fmt::format(".{}", right.group);
    return fmt::format("{} {}{}{}{}", verb, right.resource, group, name.empty() ? "" : " " + name,
                       where.empty() ? "" : " in " + where);
  }

  Task<bool> isAllowed(Right right, std::string_view verb, std::string where, std::string name) {
    const auto slash = right.resource.find('/');
    json::Object attributes{
        {"group", right.group}, {"resource", right.resource.substr(0, slash)}, {"verb", verb}, {"namespace", where}};
    if (slash != std::string_view::npos) attributes["subresource"] = right.resource.substr(slash + 1);
    if (!name.empty()) attributes["name"] = name;
    co_return co_await kube::isAllowed(client_->api(), kube::Whose::own,
                                       json::Object{{"resourceAttributes", std::move(attributes)}});
  }

  const Options& options_;
  base::Clock& clock_;
  kube::ClusterConfig config_;
  std::string own_;
  bool isOwnTold_;            // else it is a guess
  bool isInCluster_ = false;  // the coordinator is a pod
  bool standsBy_ = false;     // or will, for a manager of Metal3 that runs
  std::string pod_;
  std::unique_ptr<kube::Client> client_;
  std::set<std::string> absent_;  // resources that were to be read, and that the API does not serve
};

// Who runs this may have other variables than the coordinator that is meant.
std::string ironicSources(kube::Environment environment) {
  const bool isPod = !environment("KUBERNETES_SERVICE_HOST").value_or("").empty();
  if (!environment("IRONIC_ENDPOINT").value_or("").empty()) return ironic::sourcesOf(environment);
  return fmt::format(
      "looked for in the environment of this command; {}",
      isPod ? "a pod has it of ConfigMap ironic" : "a service has its own of /etc/ingot/coordinator.env");
}

Task<Finding> ironicAnswers(base::Runtime runtime, net::HttpTransport& transport, kube::Environment environment) {
  try {
    const auto settings = ironic::settingsFrom(environment);
    static_cast<void>(host::ironic_backend::settingsFrom(environment));  // as a leader does
    ironic::Client client(runtime.named("ironic"), transport, settings);
    static_cast<void>(co_await client.probe());
    co_return Finding{.what = "Ironic", .text = settings.endpoint + " answers, and has a conductor"};
  } catch (const base::Cancelled&) {
    throw;
  } catch (const base::Error& error) {
    co_return Finding{Verdict::bad, "Ironic", fmt::format("{} ({})", error.what(), ironicSources(environment))};
  }
}

Finding certificate(const Options& options, base::WallTime now) {
  if (options.webhookCerts == WebhookCerts::self)
    return {.what = "webhooks",
            .text = fmt::format("their certificate is made here, for Service {}", options.webhookService)};
  try {
    const auto until = net::expiresAt(
        webhooks::readPair(
            {.folder = options.webhookCertDir, .certificate = options.webhookCertName, .key = options.webhookKeyName})
            .certificatePem);
    return {until > now ? Verdict::good : Verdict::bad, "webhooks",
            fmt::format("their certificate is good until {}", base::formatTime(until))};
  } catch (const base::Error& error) {  // it may come later
    return {Verdict::note, "webhooks", fmt::format("they wait for their certificate: {}", error.what())};
  }
}

// What `look` finds, or why it finds nothing.
Task<void> add(Findings& findings, std::string what, Task<Findings> look) {
  std::string trouble;
  try {
    std::ranges::move(co_await std::move(look), std::back_inserter(findings));
    co_return;
  } catch (const base::Cancelled&) {
    throw;
  } catch (const base::Error& error) {
    trouble = error.what();
  }
  findings.push_back({Verdict::bad, std::move(what), std::move(trouble)});
}

Task<Findings> alone(Task<Finding> look) { co_return Findings{co_await std::move(look)}; }

}  // namespace

Task<Findings> check(base::Runtime runtime, Options options, net::HttpTransport& transport,
                     kube::Environment environment) {
  Findings findings;
  std::unique_ptr<Cluster> cluster;
  try {
    cluster = std::make_unique<Cluster>(runtime, options, transport, environment);
  } catch (const base::Error& error) {
    findings.push_back({Verdict::bad, "API", error.what()});
  }
  if (cluster) {
    co_await add(findings, "API", alone(cluster->answers()));
    if (findings.back().verdict == Verdict::good) {  // else nothing of it answers
      co_await add(findings, "place", cluster->installation());
      co_await add(findings, "kinds", cluster->kinds());
      co_await add(findings, "rights", cluster->rights());
      co_await add(findings, "Metal3", cluster->neighbours());
      if (partsOf(options).contains(Part::host) && !options.agentsEndpoint.empty())
        co_await add(findings, "agents", alone(cluster->agents()));
    }
  }
  if (webhookPortOf(options) != 0) findings.push_back(certificate(options, runtime.clock.wall()));
  if (options.provisioner == Backend::ironic && partsOf(options).contains(Part::host))
    co_await add(findings, "Ironic", alone(ironicAnswers(runtime, transport, environment)));
  co_return findings;
}

Leave reportOf(const std::vector<Finding>& findings) {
  std::string text;
  bool isBad = false;
  for (const auto& finding : findings) {
    const auto* word = finding.verdict == Verdict::good ? "ok" : finding.verdict == Verdict::note ? "note" : "FAIL";
    text += fmt::format("{:<5} {:<9} {}\n", word, finding.what, finding.text);
    isBad = isBad || finding.verdict == Verdict::bad;
  }
  return {isBad ? 1 : 0, std::move(text)};
}

}  // namespace ingot::coordinator
