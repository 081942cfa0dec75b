// What `ingot-coordinator check` says of an installation, to an administrator who asks from somewhere else.
#include "coordinator/check.hpp"

#include "base/file.hpp"
#include "net/loopback.hpp"
#include "tests/net/pair.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace ingot::tests {
namespace {

// As much of a cluster as is asked: objects by the path of their list, of which each group serves those that there are.
struct AskedCluster : Loop {
  AskedCluster() {
    options.kubeconfig = folder.path("kubeconfig");
    options.webhookCerts = coordinator::WebhookCerts::self;
    options.provisioner = coordinator::Backend::fixture;
    base::writeFileAtomically(options.kubeconfig,
                              R"({"current-context":"c","contexts":[{"name":"c","context":{)"
                              R"("cluster":"c","user":"u"}}],"users":[{"name":"u","user":{}}],)"
                              R"("clusters":[{"name":"c","cluster":{"server":"https://api.test"}}]})");
    network.serve("https://api.test", server);
    installedIn("ingot-system");
    hook("ingot-system/ingot-webhook-service");
    conversion("ingot-system/ingot-webhook-service");
    add("/api/v1/namespaces/ingot-system/services",
        R"({"metadata":{"namespace":"ingot-system","name":"ingot-webhook-service"}})");
    add("/api/v1/namespaces/ingot-system/services", kAgents);
    add("/apis/discovery.k8s.io/v1/namespaces/ingot-system/endpointslices",
        R"({"endpoints":[{"addresses":["10.0.0.7"]}]})");
    add("/apis/coordination.k8s.io/v1/namespaces/ingot-system/leases",
        R"({"metadata":{"namespace":"ingot-system","name":"ingot-coordinator"},"spec":{"holderIdentity":"a pod"}})");
    add("/apis/ingot.dev/v1alpha1/provisioningagents", "");
  }
  ~AskedCluster() { run(network.close()); }
  AskedCluster(const AskedCluster&) = delete;
  AskedCluster& operator=(const AskedCluster&) = delete;

  void add(const std::string& path, const std::string& object) {
    auto& items = lists[path];
    if (!object.empty()) items.push_back(json::parse(object));
  }
  void installedIn(const std::string& space) {
    add("/apis/apps/v1/deployments",
        fmt::format(R"({{"metadata":{{"namespace":"{}","name":"ingot-coordinator","labels":)"
                    R"({{"app.kubernetes.io/name":"ingot-coordinator"}}}}}})",
                    space));
  }
  static std::string clientConfig(const std::string& service) {
    return fmt::format(R"("clientConfig":{{"service":{{"namespace":"{}","name":"{}"}}}})",
                       service.substr(0, service.find('/')), service.substr(service.find('/') + 1));
  }
  void hook(const std::string& service) {
    add("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
        fmt::format(
            R"({{"metadata":{{"name":"capm3-validating-webhook-configuration"}},"webhooks":[{{"name":"x.metal3.io",{}}}]}})",
            clientConfig(service)));
  }
  void conversion(const std::string& service) {
    add("/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
        fmt::format(R"({{"metadata":{{"name":"metal3datas.infrastructure.cluster.x-k8s.io"}},"spec":{{"conversion":)"
                    R"({{"strategy":"Webhook","webhook":{{{}}}}}}}}})",
                    clientConfig(service)));
  }
  void clear(const std::string& path) { lists[path].clear(); }

  // "note  Metal3", and so on, of these subjects.
  std::vector<std::string> said(std::initializer_list<std::string_view> subjects, kube::Environment environment = {}) {
    if (!environment) environment = [](std::string_view) { return std::nullopt; };
    std::vector<std::string> out;
    for (const auto& finding : run(coordinator::check(runtime, options, network, environment)))
      if (std::ranges::find(subjects, finding.what) != subjects.end())
        out.push_back(fmt::format("{} {}",
                                  finding.verdict == coordinator::Finding::Verdict::bad    ? "FAIL"
                                  : finding.verdict == coordinator::Finding::Verdict::note ? "note"
                                                                                           : "ok",
                                  finding.text));
    return out;
  }

  net::HttpResponse answer(const net::ServerRequest& request) {
    const std::string path(request.path());
    if (path.ends_with("/selfsubjectaccessreviews")) {
      const auto review = json::parse(request.body);
      const auto resource = json::textAt(review, {"spec", "resourceAttributes", "resource"});
      return json200(json::Object{{"status", json::Object{{"allowed", !denied.contains(resource)}}}});
    }
    if (path == "/version") return json200(json::Object{{"gitVersion", "v1.36.3"}});
    if (const auto found = lists.find(path); found != lists.end())
      return json200(json::Object{{"metadata", json::Object{{"resourceVersion", "9"}}},
                                  {"items", chosen(request, found->second)}});
    const auto name = path.substr(path.rfind('/') + 1), list = path.substr(0, path.rfind('/'));
    if (const auto found = lists.find(list); found != lists.end())
      for (const auto& each : found->second)
        if (json::textAt(each, {"metadata", "name"}) == name) return json200(each);
    if (auto served = discovery(path)) return json200(*served);
    return {.status = 404, .body = R"({"kind":"Status","code":404,"reason":"NotFound"})"};
  }
  // By the field selector that check uses.
  static json::Array chosen(const net::ServerRequest& request, const json::Array& all) {
    if (!request.target.contains("metadata.name")) return all;
    return {};  // no manager of Metal3
  }
  std::optional<json::Value> discovery(const std::string& path) const {
    json::Array versions, resources;
    for (const auto& [list, objects] : lists) {
      const auto plural = list.substr(list.rfind('/') + 1);
      if (list.starts_with(path + "/v1/") || list.starts_with(path + "/v1alpha1/"))
        versions = {
            json::Object{{"version", list.substr(path.size() + 1, list.find('/', path.size() + 1) - path.size() - 1)}}};
      if (list.starts_with(path + "/")) resources.push_back(json::Object{{"name", plural}});
    }
    if (versions.empty() && resources.empty()) return std::nullopt;
    return json::Object{{"versions", versions}, {"resources", resources}};
  }
  static net::HttpResponse json200(const json::Value& body) {
    return {.status = 200, .headers = {{"Content-Type", "application/json"}}, .body = json::serialize(body)};
  }

  static constexpr const char* kAgents = R"({"metadata":{"namespace":"ingot-system","name":"ingot-agents"},)"
                                         R"("spec":{"type":"LoadBalancer","selector":{"ingot.dev/leader":"true"}}})";
  TemporaryFolder folder;
  coordinator::Options options;
  std::map<std::string, json::Array> lists;
  std::set<std::string> denied;  // resources
  net::Loopback network{runtime};
  Handler server{[this](const net::ServerRequest& request, net::Responder& out) { return out.send(answer(request)); }};
};

using Lines = std::vector<std::string>;
const std::string kHooks = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
                  kDefinitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                  kServices = "/api/v1/namespaces/ingot-system/services",
                  kSlices = "/apis/discovery.k8s.io/v1/namespaces/ingot-system/endpointslices",
                  kDeployments = "/apis/apps/v1/deployments";

bool names(const Lines& lines, std::string_view text) {
  return std::ranges::any_of(lines, [&](const std::string& line) { return line.contains(text); });
}

TEST_CASE("from outside of a pod, our own webhooks are no leftovers of Metal3", "[coordinator]") {
  AskedCluster site;
  SECTION("with one installation") {
    CHECK(site.said({"place"}) == Lines{"ok the coordinator is in namespace ingot-system"});
  }
  SECTION("with several") {
    site.installedIn("other-system");
    CHECK(site.said({"place"}) ==
          Lines{"note coordinators are in namespaces ingot-system, other-system, so that rights are asked for in "
                "namespace default: let POD_NAMESPACE say where it is"});
  }
  SECTION("where Deployments may not be read") {
    site.denied = {"deployments"};
    CHECK(names(site.said({"place"}), "let POD_NAMESPACE say where it is"));
  }
  SECTION("with none in the cluster") {
    site.clear(kDeployments);
    CHECK(site.said({"place"}).empty());
  }
  CHECK_FALSE(names(site.said({"Metal3"}), "ingot-webhook-service"));
}

TEST_CASE("what asks somebody else's webhook is named, and what nobody converts fails", "[coordinator]") {
  AskedCluster site;
  site.clear(kHooks);
  site.clear(kDefinitions);
  site.hook("capm3-system/capm3-webhook-service");
  site.conversion("capm3-system/capm3-webhook-service");
  auto said = site.said({"Metal3"});
  CHECK(names(said,
              "note x.metal3.io of ValidatingWebhookConfiguration capm3-validating-webhook-configuration asks "
              "Service capm3-system/capm3-webhook-service"));
  CHECK(names(said,
              "FAIL metal3datas.infrastructure.cluster.x-k8s.io are converted by Service "
              "capm3-system/capm3-webhook-service, which is not there"));
  site.add("/api/v1/namespaces/capm3-system/services", R"({"metadata":{"name":"capm3-webhook-service"}})");
  CHECK(names(site.said({"Metal3"}),
              "note metal3datas.infrastructure.cluster.x-k8s.io are converted by Service "
              "capm3-system/capm3-webhook-service"));
  site.denied = {"services"};
  CHECK_FALSE(names(site.said({"Metal3"}), "which is not there"));
}

TEST_CASE("a missing kind is to be had of what asks our webhooks", "[coordinator]") {
  AskedCluster site;
  const auto said = site.said({"kinds"});
  CHECK(names(said, "not served (apply deploy/default, or the components of the release)"));
}

TEST_CASE("by which Service agents come is looked for", "[coordinator]") {
  AskedCluster site;
  const std::string nobody = "0 known, 0 approved, 0 connected; ";
  SECTION("it leads to a pod") {
    CHECK(site.said({"agents"}) == Lines{"ok " + nobody + "they come by Service ingot-agents (LoadBalancer)"});
  }
  SECTION("it leads to none, and nobody needs it") {
    site.clear(kSlices);
    CHECK(site.said({"agents"}) ==
          Lines{"note " + nobody + "Service ingot-agents (LoadBalancer) leads to no pod: they find nobody"});
  }
  SECTION("it leads to none, and all hosts wait for agents") {
    site.options.provisioner = coordinator::Backend::agent;
    site.clear(kSlices);
    CHECK(site.said({"agents"}) ==
          Lines{"FAIL " + nobody + "Service ingot-agents (LoadBalancer) leads to no pod: they find nobody"});
  }
  SECTION("it leads to none, and an agent is approved") {
    site.add("/apis/ingot.dev/v1alpha1/provisioningagents", R"({"metadata":{"name":"a"},"spec":{"approved":true}})");
    site.clear(kSlices);
    CHECK(site.said({"agents"}) == Lines{"FAIL 1 known, 1 approved, 0 connected; Service ingot-agents (LoadBalancer) "
                                         "leads to no pod: they find nobody"});
  }
  SECTION("nobody leads yet") {
    site.clear(kSlices);
    site.clear("/apis/coordination.k8s.io/v1/namespaces/ingot-system/leases");
    CHECK(site.said({"agents"}) ==
          Lines{"ok " + nobody + "they come by Service ingot-agents (LoadBalancer), once somebody leads"});
  }
  SECTION("it is gone") {
    site.lists[kServices].pop_back();
    CHECK(site.said({"agents"}) ==
          Lines{"note " + nobody + "no Service in ingot-system selects ingot.dev/leader=true: they find nobody"});
  }
  SECTION("it may not be read") {
    site.denied = {"services"};
    CHECK(site.said({"agents"}) ==
          Lines{"ok " + nobody + "by which Service they come is not known (list services in ingot-system)"});
  }
}

TEST_CASE("agents come to an address of the machine that runs a coordinator outside of the cluster", "[coordinator]") {
  AskedCluster site;
  site.clear(kDeployments);
  const auto [endpoint, isHere] = GENERATE(table<std::string, bool>({{"tcp://127.0.0.1:7460", true},
                                                                     {"tcp://0.0.0.0:7460", true},
                                                                     {"tcp://*:7460", true},
                                                                     {"tcp://[::]:7460", true},
                                                                     {"tcp://[::1]:7460", true},
                                                                     {"tcp://192.0.2.77:7460", false},
                                                                     {"tcp://[2001:db8::77]:7460", false}}));
  CAPTURE(endpoint);
  site.options.agentsEndpoint = endpoint;
  const auto said = site.said({"agents"});
  CHECK(names(said, "they come to " + endpoint) == isHere);
  CHECK(names(said, "note 0 known, 0 approved, 0 connected; " + endpoint + " is no address of this machine") ==
        !isHere);
}

}  // namespace
}  // namespace ingot::tests
