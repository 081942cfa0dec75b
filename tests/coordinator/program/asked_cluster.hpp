// As much of a cluster as `ingot-coordinator check` asks for, and what it says of it.
#pragma once

#include "api/kinds/kinds.hpp"
#include "base/file.hpp"
#include "coordinator/check.hpp"
#include "net/loopback.hpp"
#include "tests/net/pair.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace ingot::tests {

// As much of a cluster as is asked: objects by the path of their list, of which each group serves those that there are.
struct AskedCluster : Loop {
  explicit AskedCluster(const std::string& url = "https://api.test") {
    options.kubeconfig = folder.path("kubeconfig");
    options.webhookCerts = coordinator::WebhookCerts::self;
    options.provisioner = coordinator::Backend::fixture;
    base::writeFileAtomically(options.kubeconfig, R"({"current-context":"c","contexts":[{"name":"c","context":{)"
                                                  R"("cluster":"c","user":"u"}}],"users":[{"name":"u","user":{}}],)"
                                                  R"("clusters":[{"name":"c","cluster":{"server":")" +
                                                      url + R"("}}]})");
    network.serve(url, server);
    installedIn("ingot-system");
    hook("ingot-system/ingot-webhook-service");
    conversion("ingot-system/ingot-webhook-service");
    add("/api/v1/namespaces/ingot-system/services",
        R"({"metadata":{"namespace":"ingot-system","name":"ingot-webhook-service"}})");
    add("/api/v1/namespaces/ingot-system/services", kAgents);
    add("/apis/discovery.k8s.io/v1/namespaces/ingot-system/endpointslices",
        R"({"endpoints":[{"addresses":["10.0.0.7"]}]})");
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
    if (path.ends_with("subjectaccessreviews")) {
      const auto review = json::parse(request.body);
      const auto resource = json::textAt(review, {"spec", "resourceAttributes", "resource"});
      return json200(json::Object{{"status", json::Object{{"allowed", !denied.contains(resource)}}}});
    }
    if (path == "/apis/coordination.k8s.io/v1/namespaces/ingot-system/leases/ingot-coordinator") {
      meanwhile(clock.wall() - begun);
      return lease();
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
  net::HttpResponse lease() {
    if (isAlive) renewed = clock.wall();
    const auto spec = json::Object{{"holderIdentity", holder},
                                   {"leaseDurationSeconds", 15},
                                   {"acquireTime", base::formatMicroTime(acquired)},
                                   {"renewTime", base::formatMicroTime(renewed)}};
    return json200(json::Object{
        {"metadata", json::Object{{"namespace", "ingot-system"}, {"name", "ingot-coordinator"}}}, {"spec", spec}});
  }
  // By the field selector that check uses.
  static json::Array chosen(const net::ServerRequest& request, const json::Array& all) {
    if (!request.target.contains("metadata.name")) return all;
    json::Array named;
    for (const auto& each : all)
      if (request.target.contains(json::textAt(each, {"metadata", "name"}))) named.push_back(each);
    return named;
  }
  // Of a group its versions, of a version its resources.
  std::optional<json::Value> discovery(const std::string& path) const {
    const bool isGroup = path.starts_with("/apis/") && std::ranges::count(path, '/') == 2;
    std::set<std::string> found;
    for (const auto& [list, objects] : lists) {
      if (!list.starts_with(path + "/")) continue;
      const auto rest = list.substr(path.size() + 1);
      found.insert(isGroup ? rest.substr(0, rest.find('/')) : rest.substr(rest.rfind('/') + 1));
    }
    if (found.empty()) return std::nullopt;
    json::Array versions, resources;
    for (const auto& each : found)
      (isGroup ? versions : resources).push_back(json::Object{{isGroup ? "version" : "name", each}});
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
  // Who leads, by the Lease; `meanwhile` is told how long check has run, before the Lease is read.
  const base::WallTime begun = clock.wall();
  std::string holder = "a pod";
  bool isAlive = true;
  base::WallTime acquired = begun - std::chrono::hours(1), renewed = begun;
  std::function<void(base::Duration)> meanwhile = [](base::Duration) {};
  net::Loopback network{runtime};
  Handler server{[this](const net::ServerRequest& request, net::Responder& out) { return out.send(answer(request)); }};
};

inline const std::string kHooks = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
                         kDefinitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                         kServices = "/api/v1/namespaces/ingot-system/services",
                         kSlices = "/apis/discovery.k8s.io/v1/namespaces/ingot-system/endpointslices",
                         kDeployments = "/apis/apps/v1/deployments",
                         kProvisioningAgents = "/apis/ingot.dev/v1alpha1/provisioningagents";

}  // namespace ingot::tests
