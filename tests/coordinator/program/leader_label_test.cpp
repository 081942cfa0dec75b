// Which pods have the label of the leader, by what the API server is asked.
#include "coordinator/leader_label.hpp"

#include "kube/client/config.hpp"
#include "net/loopback.hpp"
#include "tests/net/pair.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

#include <map>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;

// Pods by name with their labels, as a server keeps them.
struct LabelledPods : Loop {
  LabelledPods() {
    network.serve(kAddress, server);
    client = kube::connect(runtime, network, {.server = kAddress}, {.userAgent = "test"});
  }
  ~LabelledPods() {
    client.reset();
    run(network.close());
  }
  LabelledPods(const LabelledPods&) = delete;
  LabelledPods& operator=(const LabelledPods&) = delete;

  // As the server does with both requests.
  net::HttpResponse answer(const net::ServerRequest& request) {
    const std::string target(request.target), name = target.substr(target.rfind('/') + 1);
    if (request.method == "GET") {
      json::Array items;
      for (const auto& [each, labels] : pods)
        if (labels.contains(coordinator::leaderLabel)) items.push_back(pod(each));
      return json200(
          json::Object{{"kind", "PodList"}, {"metadata", json::Object{{"resourceVersion", "9"}}}, {"items", items}});
    }
    if (!pods.contains(name)) return {.status = 404, .body = R"({"kind":"Status","code":404,"reason":"NotFound"})"};
    const json::Value patch = json::parse(request.body);
    for (const auto& [label, value] : patch.at("metadata").at("labels").as_object()) {
      pods[name].erase(label);
      if (value.is_string()) pods[name][label] = value;
    }
    return json200(pod(name));
  }
  json::Value pod(const std::string& name) {
    return json::Object{{"kind", "Pod"},
                        {"metadata", json::Object{{"namespace", "n"}, {"name", name}, {"labels", pods[name]}}}};
  }
  static net::HttpResponse json200(const json::Value& body) {
    return {.status = 200, .headers = {{"Content-Type", "application/json"}}, .body = json::serialize(body)};
  }
  std::vector<std::string> labelled() const {
    std::vector<std::string> names;
    for (const auto& [name, labels] : pods)
      if (labels.contains(coordinator::leaderLabel)) names.push_back(name);
    return names;
  }
  void leads(const std::string& name) {
    coordinator::LeaderLabel label(runtime, "n", name);
    try {
      run(base::withTimeout(clock, 1s, "leading", label.keep(*client)));
    } catch (const base::Error&) {  // it keeps it until it is cancelled
    }
  }

  static constexpr const char* kAddress = "https://cluster.test";
  std::map<std::string, json::Object> pods = {
      {"ours-1", {{"app.kubernetes.io/instance", "ours"}, {"ingot.dev/leader", "true"}}},
      {"ours-2", {{"app.kubernetes.io/instance", "ours"}}},
      {"theirs", {{"app.kubernetes.io/instance", "theirs"}, {"ingot.dev/leader", "true"}}},
  };
  net::Loopback network{runtime};
  Handler server{[this](const net::ServerRequest& request, net::Responder& out) { return out.send(answer(request)); }};
  std::unique_ptr<kube::Client> client;
};

TEST_CASE("who leads takes the label from a replica that was killed, and from no other installation", "[coordinator]") {
  LabelledPods site;
  site.leads("ours-2");
  CHECK(site.labelled() == std::vector<std::string>{"ours-2", "theirs"});
}

TEST_CASE("where nothing tells installations apart, one pod has the label", "[coordinator]") {
  LabelledPods site;
  for (auto& [name, labels] : site.pods) labels.erase("app.kubernetes.io/instance");
  site.leads("ours-2");
  CHECK(site.labelled() == std::vector<std::string>{"ours-2"});
}

TEST_CASE("who ends its term takes the label from its own pod", "[coordinator]") {
  LabelledPods site;
  coordinator::LeaderLabel label(site.runtime, "n", "ours-1");
  site.run(label.drop(*site.client));
  CHECK(site.labelled() == std::vector<std::string>{"theirs"});
}

TEST_CASE("a process that is no pod labels none", "[coordinator]") {
  LabelledPods site;
  site.leads("elsewhere");
  CHECK(site.labelled() == std::vector<std::string>{"ours-1", "theirs"});
}

}  // namespace
}  // namespace ingot::tests
