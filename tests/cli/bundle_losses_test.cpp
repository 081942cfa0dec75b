// ingotctl support-bundle while pods, the API or the disk fail on the way.
#include "tests/cli/bundled.hpp"
#include "tests/support/dead_disk.hpp"

using namespace ingot;
using namespace ingot::cli;
using namespace ingot::cli::tests;
using Catch::Contains;

namespace {

using ingot::tests::DeadDisk;

bool asksFor(const net::ServerRequest& request, std::string_view part) {
  return request.target.find(part) != std::string::npos;
}

// Two replicas, `odd` answers in place of the first one's pages.
auto twoPods(std::function<std::optional<net::HttpResponse>(const net::ServerRequest&)> odd) {
  return [odd = std::move(odd)](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (auto answer = odd(request)) return answer;
    if (asksFor(request, "/log?") || asksFor(request, "/proxy/")) return answered("up\n");
    if (!asksFor(request, "/api/v1/pods")) return std::nullopt;
    std::string items;
    for (const char* name : {"first", "second"})
      items += fmt::format(
          R"({}{{"metadata":{{"name":"{}","namespace":"ingot-system"}},"spec":{{"containers":[{{"name":"manager"}}]}}}})",
          items.empty() ? "" : ",", name);
    return answered(fmt::format(R"({{"apiVersion":"v1","kind":"PodList","metadata":{{}},"items":[{}]}})", items));
  };
}

void machines(Bundled& w, std::initializer_list<std::string> names) {
  std::string text = "apiVersion: v1\nkind: Namespace\nmetadata: {name: metal3}\n";
  for (const auto& name : names)
    text += fmt::format(
        "---\napiVersion: infrastructure.cluster.x-k8s.io/v1beta2\nkind: Metal3Machine\n"
        "metadata: {{name: {}, namespace: metal3}}\nspec: {{image: {{url: \"http://i/a\", checksum: "
        "\"http://i/s\"}}}}\n",
        name);
  REQUIRE(w.run({"apply", "-f", w.file("machines.yaml", text)}) == 0);
}

// That of the decision on this machine, not the list.
bool isOfMachine(const net::ServerRequest& request, const std::string& name) {
  return request.target.ends_with("/metal3machines/" + name);
}

}  // namespace

TEST_CASE("a pod that refuses a page costs the bundle that page alone", "[cli][bundle]") {
  const int status = GENERATE(401, 403, 404, 503);
  const std::string page = GENERATE("first:8443/proxy/metrics", "first:9440/proxy/readyz", "first/log?");
  Bundled w;
  w.hosts({"a"});
  w.door.instead = twoPods([&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (!asksFor(request, page)) return std::nullopt;
    return net::HttpResponse{.status = status, .headers = {}, .body = "not you"};
  });
  INFO(status << " " << page);
  const Files files = w.made();
  CHECK(files.at("logs/second/manager.log") == "up\n");
  CHECK(files.at("pods/second/metrics.txt") == "up\n");
  CHECK_THAT(files.at("errors.txt"),
             Contains("pod ingot-system/first") && !Contains("not asked any more") && !Contains("--kubeconfig"));
}

TEST_CASE("what is not ready says why in the bundle, from the first line to the last", "[cli][bundle]") {
  const std::string page = "[+]leading ok\n[-]webhooks failed: waits for its certificate\nasks http://admin:pw@h/v1\n";
  const std::string redacted = "[+]leading ok\n[-]webhooks failed: waits for its certificate\nasks http://***@h/v1\n";
  const int status = GENERATE(500, 503);
  Bundled w;
  w.hosts({"a"});
  w.door.instead = twoPods([&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (asksFor(request, "first:8443/proxy/metrics"))  // of the API server, which does not reach it
      return net::HttpResponse{
          .status = status,
          .headers = {},
          .body = R"({"kind":"Status","status":"Failure","reason":"ServiceUnavailable","message":"no"})"};
    if (asksFor(request, "first:9440/proxy/readyz"))
      return net::HttpResponse{.status = status, .headers = {}, .body = page};
    return std::nullopt;
  });
  struct Beside final : net::HttpHandler {
    base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
      const bool isMetrics = request.target == "/metrics";
      co_await out.send({.status = isMetrics ? 404 : status, .headers = {}, .body = isMetrics ? "none" : body});
    }
    int status = 0;
    std::string body;
  } beside;
  beside.status = status;
  beside.body = page;
  w.loopback.serve("http://127.0.0.1:8080", beside);
  const Files files = w.made({"--metrics-url", "http://127.0.0.1:8080"});
  w.loopback.remove("http://127.0.0.1:8080");
  CHECK(files.at("pods/first/readyz.txt") == redacted);
  CHECK(files.at("pages/127.0.0.1-8080/readyz.txt") == redacted);
  CHECK_FALSE(files.contains("pods/first/metrics.txt"));
  CHECK_THAT(files.at("errors.txt"), Contains("/readyz?verbose of pod ingot-system/first: ") &&
                                         Contains("/readyz?verbose of http://127.0.0.1"));
}

TEST_CASE("a pod that is silent costs the bundle its pages, an API that is silent is asked no more", "[cli][bundle]") {
  const bool isApi = GENERATE(false, true);
  Bundled w;
  w.hosts({"a"});
  std::set<std::string> after;
  bool isSilent = false;
  w.door.before = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (asksFor(request, "first:8443")) isSilent = true;
    if (isSilent) after.insert(request.target);
    if (isSilent && (isApi || asksFor(request, "first:8443")))
      co_await w.loop.runtime.clock.sleepFor(std::chrono::hours(1));
  };
  w.door.instead = twoPods([](const net::ServerRequest&) { return std::nullopt; });
  const Files files = w.made();
  CHECK(files.contains("logs/first/manager.log"));
  CHECK(files.contains("logs/second/manager.log") == !isApi);
  CHECK((files.at("errors.txt").find("not asked any more") != std::string::npos) == isApi);
  if (isApi) CHECK(after.size() == 2);  // that page, and whether the API is still there
}

TEST_CASE("an API that falls silent is asked for no further decision", "[cli][bundle]") {
  Bundled w;
  machines(w, {"m1", "m2"});
  std::set<std::string> after;
  bool isSilent = false;
  w.door.before = [&](const net::ServerRequest& request) -> base::Task<void> {
    isSilent = isSilent || isOfMachine(request, "m1");
    if (isSilent) after.insert(request.target);
    if (isSilent) co_await w.loop.runtime.clock.sleepFor(std::chrono::hours(1));
  };
  const auto before = w.loop.runtime.clock.now();
  const Files files = w.made();
  CHECK(after.size() == 1);
  CHECK(w.loop.runtime.clock.now() - before < std::chrono::minutes(2));
  CHECK_THAT(files.at("errors.txt"), Contains("the decision on machine metal3/m1: ") &&
                                         Contains("everything else of the API: it was not asked any more"));
  CHECK(files.contains("objects/metal3/metal3machines.infrastructure.cluster.x-k8s.io.yaml"));
}

TEST_CASE("an API that is lost while objects are listed is asked for no decision", "[cli][bundle]") {
  Bundled w;
  machines(w, {"m1", "m2"});
  std::vector<std::string> decided;
  bool isSilent = false;
  w.door.before = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (isOfMachine(request, "m1") || isOfMachine(request, "m2")) decided.push_back(request.target);
    isSilent = isSilent || asksFor(request, "/ipaddressclaims");
    if (isSilent) co_await w.loop.runtime.clock.sleepFor(std::chrono::hours(1));
  };
  static_cast<void>(w.made());
  CHECK(decided.empty());
}

TEST_CASE("a machine that cannot be decided on is told, the next one has its decision", "[cli][bundle]") {
  Bundled w;
  machines(w, {"m1", "m2"});
  w.refuse("/metal3machines/m1", 403);
  const Files files = w.made();
  CHECK_THAT(files.at("errors.txt"), Contains("the decision on machine metal3/m1: "));
  CHECK_THAT(files.at("decisions/machines.txt"), Contains("[metal3] machine m2: ") && !Contains("m1"));
}

TEST_CASE("a bundle that the disk has no room for fails and leaves nothing behind", "[cli][bundle]") {
  const std::string last = GENERATE("/baremetalhosts", "/metal3machines/m1", "/events", "/secrets");
  Bundled w;
  machines(w, {"m1", "m2"});
  w.hosts({"a"});
  std::optional<DeadDisk> dead;
  std::vector<std::string> after;
  w.door.before = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (dead) after.push_back(request.target);
    if (request.target.find(last) != std::string::npos && !dead) dead.emplace();
    co_return;
  };
  w.door.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (!asksFor(request, "/secrets") && !asksFor(request, "/events")) return std::nullopt;
    return answered(R"({"apiVersion":"v1","kind":"List","metadata":{},"items":[{"kind":"Odd",
"involvedObject":{"apiVersion":"metal3.io/v1alpha1"},"metadata":{"name":"s","namespace":"metal3"}}]})");
  };
  const int code = w.bundle();
  dead.reset();
  INFO(last);
  CHECK(code == 1);
  CHECK(w.left().empty());
  CHECK(w.terminal.printed.empty());
  CHECK(w.terminal.errors == "the bundle cannot be written: File too large\n");
  // Nothing is read that could not be kept.
  CHECK(std::ranges::none_of(after, [](const auto& target) { return target.ends_with("/metal3machines/m2"); }));
}

TEST_CASE("an archive that the disk has no room for is not there", "[cli][bundle]") {
  Bundled w;
  base::makeFolder((w.folder / "out").string());
  std::string noise;  // as long as the disk takes none of it, however well it is packed
  for (unsigned i = 1, seed = 7; i < 1u << 20; ++i)
    noise += static_cast<char>((seed = seed * 1103515245 + 12345) >> 16);
  bundle::Spool spool(w.path());
  spool.append(noise);
  const auto fails = [&w](const auto& act) {
    {
      bundle::Archive archive(w.path(), "folder", w.loop.runtime.clock.wall());
      archive.add("small.txt", "fits");
      const DeadDisk dead;
      CHECK_THROWS_WITH(act(archive), Contains("b.tar.gz: cannot be written: "));
    }
    CHECK(w.left().empty());
  };
  fails([&](bundle::Archive& archive) { archive.add("noise.txt", noise); });
  fails([&](bundle::Archive& archive) { archive.add("noise.txt", spool); });
  fails([&](bundle::Archive& archive) { archive.finish(); });
}
