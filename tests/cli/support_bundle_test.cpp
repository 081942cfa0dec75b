// ingotctl support-bundle: what is in it, what never is, and how it ends.
#include "tests/cli/support_bundle.hpp"

#include "base/sync.hpp"
#include "tests/cli/bundled.hpp"

#include <sys/stat.h>

using namespace ingot;
using namespace ingot::cli;
using namespace ingot::cli::tests;
using Catch::Contains;

TEST_CASE("a support bundle holds no secret, wherever one was planted", "[cli][bundle]") {
  Bundled w;
  w.plant();
  const Files files = w.made({"--logs", w.file("agent.log", plantedLog())});
  for (const Planted& each : planted()) {
    INFO(each.where);
    CHECK_FALSE(holds(files, each.value));
  }
  // The places are in it: it is what was planted that is not.
  CHECK_THAT(files.at("objects/metal3/baremetalhosts.metal3.io.yaml"),
             Contains("https://***@images.example/a.qcow2?***") && Contains("inspect.metal3.io: disabled") &&
                 Contains("example.com/note: '*** (22 bytes)'") && Contains("https://***@192.0.2.7/ failed"));
  CHECK_THAT(files.at("outlines/metal3/secrets.yaml"),
             Contains("name: leaky-bmc") && Contains("password: '*** (22 bytes)'") && !Contains("annotations"));
  CHECK_THAT(files.at("outlines/metal3/configmaps.yaml"), Contains("anything: '*** (20 bytes)'"));
  CHECK_THAT(files.at("coordinator/ingot-system/pods.yaml"), Contains("name: SAUCE") && Contains("value: \"20\""));
  CHECK_THAT(files.at("objects/metal3/metal3datatemplates.infrastructure.cluster.x-k8s.io.yaml"),
             Contains("key: join"));
  CHECK_THAT(files.at("events/metal3/events.yaml"), Contains("ImageNotFound") && !Contains("of somebody else"));
  CHECK_THAT(files.at("logs/ingot-coordinator/manager.log"), Contains("host registered host=metal3/leaky"));
  CHECK_THAT(files.at("logs/files/agent.log.txt"), Contains("host registered host=metal3/leaky"));
  CHECK_THAT(files.at("decisions/hosts.txt"), Contains("[metal3] host leaky: registering"));
}

TEST_CASE("each rule of redaction is what keeps a planted secret out of the bundle", "[cli][bundle]") {
  Bundled w;
  w.plant();
  std::map<std::set<bundle::Rule>, Files> made;
  std::set<bundle::Rule> shown;
  for (const Planted& each : planted()) {
    auto& files = made[each.rules];
    if (files.empty()) {
      bundle::Redaction redaction;
      for (const auto rule : each.rules) redaction = redaction.without(rule);
      files = w.madeWith(redaction);
    }
    INFO(each.where);
    CHECK(holds(files, each.value));
    shown.insert(each.rules.begin(), each.rules.end());
  }
  CHECK(shown.size() == static_cast<std::size_t>(bundle::Rule::queries) + 1);  // no rule is without a proof
}

TEST_CASE("what cannot be read is told in the bundle, which is made all the same", "[cli][bundle]") {
  Bundled w;
  w.hosts({"a"});
  w.refuse("/secrets", 403);
  const Files files = w.made();
  CHECK_THAT(files.at("errors.txt"),
             Contains("secrets in metal3: ") && Contains("deployments.apps: the server has none"));
  CHECK(w.terminal.notes == "left out: secrets in metal3: listing secrets: HTTP 403 not today\n");
  CHECK_THAT(files.at("index.txt"), Contains("objects/metal3/baremetalhosts.metal3.io.yaml: 1 object") &&
                                        Contains("errors.txt: ") && Contains("journalctl -u ingot-coordinator"));
  CHECK(files.contains("server/version.json"));
  CHECK(w.terminal.printed == w.path() + "\n");
}

TEST_CASE("of much that cannot be read the terminal tells the first, the bundle all", "[cli][bundle]") {
  Bundled w;
  w.refuse("/apis/", 403);
  const Files files = w.made();
  CHECK(std::ranges::count(w.terminal.notes, '\n') == 9);
  CHECK_THAT(w.terminal.notes, Contains("more; errors.txt in it has all"));
  CHECK(std::ranges::count(files.at("errors.txt"), '\n') > 20);
}

TEST_CASE("a bundle is its owner's, and replaces nothing", "[cli][bundle]") {
  Bundled w;
  REQUIRE(w.bundle() == 0);
  struct stat seen{};
  REQUIRE(::stat(w.path().c_str(), &seen) == 0);
  CHECK((seen.st_mode & 0777) == 0600);
  CHECK(w.bundle() == 1);
  CHECK_THAT(w.terminal.errors, Contains("is there already; choose another --output"));
  CHECK(w.left() == std::vector<std::string>{"b.tar.gz"});
}

TEST_CASE("without an API there is a bundle only when something else is in it", "[cli][bundle]") {
  Bundled w;
  w.loopback.remove(World::origin);
  CHECK(w.bundle() == 5);
  CHECK(w.left().empty());
  const Files files = w.made({"--logs", w.file("c.log", "started\n")});
  CHECK(files.at("logs/files/c.log.txt") == "started\n");
  CHECK_THAT(files.at("errors.txt"), Contains("everything else of the API: it was not asked any more"));
  w.open();
}

TEST_CASE("a bundle that is stopped half way leaves nothing behind", "[cli][bundle]") {
  Bundled w;
  w.hosts({"a"});
  base::makeFolder((w.folder / "out").string());
  base::AbortSource stop;
  bool sawFile = false;
  w.door.before = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (request.target.find("/events") == std::string::npos) co_return;
    sawFile = w.left().size() == 1;
    stop.abort();
  };
  const auto make = [&]() -> base::Task<void> {
    static_cast<void>(co_await w.start({"support-bundle", "--output", w.path()}));
  };
  CHECK_THROWS_AS(w.loop.run(stop.run(make())), base::Cancelled);
  CHECK(sawFile);
  CHECK(w.left().empty());
}

TEST_CASE("objects are read page by page, each namespace has its file", "[cli][bundle]") {
  Bundled w;
  std::string manifests;
  for (const char* space : {"one", "two"}) {
    manifests += fmt::format("---\napiVersion: v1\nkind: Namespace\nmetadata: {{name: {}}}\n", space);
    for (int i = 0; i < 150; ++i)
      manifests += fmt::format(
          "---\napiVersion: metal3.io/v1alpha1\nkind: BareMetalHost\n"
          "metadata: {{name: h{:03}, namespace: {}}}\nspec: {{online: false}}\n",
          i, space);
  }
  REQUIRE(w.run({"apply", "-f", w.file("fleet.yaml", manifests)}) == 0);
  int pages = 0;
  w.door.before = [&pages](const net::ServerRequest& request) -> base::Task<void> {
    if (request.target.find("/baremetalhosts?limit=200") != std::string::npos) ++pages;
    co_return;
  };
  const Files files = w.made({"-A"});
  CHECK(pages == 2);
  for (const char* space : {"one", "two"})
    CHECK_THAT(files.at("index.txt"),
               Contains(fmt::format("objects/{}/baremetalhosts.metal3.io.yaml: 150 objects", space)));
}

TEST_CASE("logs of pods end with their newest line, however much there is", "[cli][bundle]") {
  Bundled w;
  std::vector<std::string> asked;
  w.door.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.target.find("/log?") != std::string::npos) {
      asked.push_back(request.target);
      const bool isFirst = request.target.find("tailLines=2621&") != std::string::npos;
      return answered(isFirst ? std::string(524288, 'x') : "the newest line\n");
    }
    const auto answers = plantedAnswers();
    if (request.target.find("/api/v1/pods") != std::string::npos) return answered(answers.at("/api/v1/pods"));
    return std::nullopt;
  };
  const Files files = w.made({"--max-log-size", "1"});
  CHECK_THAT(asked.at(0), Contains("limitBytes=524288") && !Contains("previous"));
  CHECK_THAT(asked.at(1), Contains("tailLines=655&"));
  CHECK_THAT(asked.back(), Contains("previous=true"));
  CHECK(files.at("logs/ingot-coordinator/manager.log") == "the newest line\n");
  CHECK(files.contains("logs/ingot-coordinator/manager-previous.log"));
}

TEST_CASE("pods that somebody has labelled as the coordinator's take no room from its logs", "[cli][bundle]") {
  const auto [tenants, read] = GENERATE(table<int, std::size_t>({{2, 6 + 6 + 1}, {10, 18}}));
  Bundled w;
  std::map<std::string, std::set<std::string>> asked;  // containers of a pod
  w.door.instead = [&, tenants = tenants](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    const auto all = [](const char* kind, const char* version, json::Array items) {
      return answered(json::serialize(json::Object{{"kind", fmt::format("{}List", kind)},
                                                   {"apiVersion", version},
                                                   {"metadata", json::Object{}},
                                                   {"items", std::move(items)}}));
    };
    const std::string target(request.target);
    if (target.find("/log?") != std::string::npos) {
      const auto name = target.find("container=");
      asked[target.substr(0, target.find("/log?"))].insert(target.substr(name, target.find('&', name) - name));
      return answered(target.find("/ingot-system/") != std::string::npos ? "of the coordinator\n" : "of a tenant\n");
    }
    if (target.find("/leases") != std::string::npos)
      return all(
          "Lease", "coordination.k8s.io/v1",
          {json::Object{{"metadata", json::Object{{"namespace", "ingot-system"}, {"name", "ingot-coordinator"}}}}});
    if (target.find("/api/v1/pods") == std::string::npos) return std::nullopt;
    json::Array pods, containers;
    for (int i = 0; i < 20; ++i) containers.push_back(json::Object{{"name", fmt::format("c{}", i)}});
    const auto add = [&](const std::string& space, const std::string& name, json::Array of) {
      pods.push_back(json::Object{{"metadata", json::Object{{"namespace", space}, {"name", name}}},
                                  {"spec", json::Object{{"containers", std::move(of)}}}});
    };
    for (int i = 0; i < 50; ++i) add(fmt::format("a-tenant-{}", i % tenants), fmt::format("pod-{}", i), containers);
    add("ingot-system", "ingot-coordinator-x", {json::Object{{"name", "manager"}}});
    return all("Pod", "v1", std::move(pods));
  };
  const Files files = w.made({"--max-log-size", "32"});
  CHECK(files.at("logs/ingot-coordinator-x/manager.log") == "of the coordinator\n");
  CHECK(asked.size() == read);
  CHECK(std::ranges::all_of(asked, [](const auto& pod) { return pod.second.size() <= 4; }));
  CHECK(asked.contains("/api/v1/namespaces/ingot-system/pods/ingot-coordinator-x"));
  CHECK_THAT(files.at("errors.txt"),
             Contains(fmt::format("logs and pages of {} pods that are labelled as the coordinator's", 51 - read)));
  CHECK_THAT(files.at("errors.txt"), Contains("--coordinator-namespace"));
}

TEST_CASE("a key whose beginning is cut off with its log is not in the bundle", "[cli][bundle]") {
  Bundled w;
  w.hosts({"a"});
  std::string log = "INFO begins\n-----BEGIN PRIVATE KEY-----\n";
  for (int i = 0; i < 50; ++i) log += fmt::format("QuarzsandKey{:052}\n", i);
  log += "Quarzs==\n-----END PRIVATE KEY-----\n";
  const std::size_t keyEnd = log.size();
  while (log.size() < keyEnd + (1 << 20) - 1000) log += "INFO more happened n=1\n";
  const Files files = w.made({"--max-log-size", "1", "--logs", w.file("long.log", log)});
  const std::string& kept = files.at("logs/files/long.log.txt");
  CHECK(kept.find("Quarzs") == std::string::npos);
  CHECK(kept.starts_with("***\nINFO more happened n=1\n"));
  CHECK(kept.size() > (1 << 20) - 1100);
}

TEST_CASE("pages of metrics are asked for without credentials of the cluster", "[cli][bundle]") {
  Bundled w;
  struct Page final : net::HttpHandler {
    base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
      isBare = isBare && request.headers.get("Authorization").empty();
      const bool isMetrics = request.target == "/metrics";
      co_await out.send({.status = isMetrics ? 200 : 404, .headers = {}, .body = isMetrics ? "ingot_up 1\n" : "none"});
    }
    bool isBare = true;
  } page;
  w.loopback.serve("http://127.0.0.1:8080", page);
  const Files files = w.made({"--metrics-url", "http://127.0.0.1:8080"});
  w.loopback.remove("http://127.0.0.1:8080");
  CHECK(files.at("pages/127.0.0.1-8080/metrics.txt") == "ingot_up 1\n");
  CHECK_THAT(files.at("errors.txt"), Contains("/readyz?verbose of http://127.0.0.1:8080: "));
  CHECK(page.isBare);
}
