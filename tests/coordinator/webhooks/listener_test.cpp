// The webhooks as a kube-apiserver reaches them, over TLS (spec/kubernetes-api.md §9, spec/capm3.md §20.1).
#include "coordinator/webhooks/listener.hpp"

#include "base/file.hpp"
#include "base/manual_clock.hpp"
#include "kube/client/client.hpp"
#include "kube/client/config.hpp"
#include "tests/coordinator/webhooks/reviews.hpp"
#include "tests/net/pair.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;
using Catch::Contains;
using coordinator::webhooks::Listener;
using coordinator::webhooks::ListenerOptions;

namespace {

constexpr auto kubeOrigin = "http://kube";

// The client's time is real; the listener's moves only when told to.
struct Serving : RealLoop {
  base::ManualClock listenersClock{io};
  base::Runtime listenersRuntime{io.get_executor(), listenersClock, *random, base::Log(log, "webhooks")};
  TemporaryFolder folder;
  net::CertificateAuthority authority = net::CertificateAuthority::create("webhooks", clock.wall());
  // The API beside it: what the listener looks up.
  int kubeStatus = 200;
  std::size_t asked = 0;
  bool hangs = false;
  base::Notifier goesOn{io.get_executor()};
  json::Array hosts;
  bool isSecondPage = false;  // the hosts are, and nobody is on the first one
  std::string endless;        // lists of this namespace are
  Handler kube{[this](net::ServerRequest request, net::Responder& out) -> base::Task<void> {
    ++asked;
    while (hangs) co_await goesOn.wait();
    const bool isFirst = isSecondPage && !request.query().contains("continue=more");
    const bool isEndless = request.path().find("/namespaces/" + endless + "/") != std::string_view::npos;
    json::Object metadata{{"resourceVersion", "1"}};
    if (isFirst || isEndless) metadata["continue"] = "more";
    const json::Value list = json::Object{{"apiVersion", "metal3.io/v1alpha1"},
                                          {"kind", "BareMetalHostList"},
                                          {"metadata", metadata},
                                          {"items", isFirst ? json::Array() : hosts}};
    co_await out.send({kubeStatus, {{"Content-Type", "application/json"}}, json::serialize(list)});
  }};
  net::Loopback cluster{runtime};
  std::unique_ptr<net::HttpTransport> transport = net::curlTransport(runtime);
  std::unique_ptr<kube::Client> api;
  std::unique_ptr<Listener> listener;
  base::TaskGroup tasks{runtime.executor, runtime.log};

  explicit Serving(ListenerOptions options = {}) {
    cluster.serve(kubeOrigin, kube);
    api = kube::connect(runtime, cluster, {.server = kubeOrigin});
    base::makeFolder(folder.path());
    options.address = "127.0.0.1";
    options.port = 0;
    options.files.folder = folder.path();
    listener = std::make_unique<Listener>(listenersRuntime, options, api->api());
  }
  ~Serving() {
    run(tasks.close());
    run(listener->stop());
    api.reset();
    run(cluster.close());
  }

  net::KeyPair issue() const {
    return authority.issue(net::ServerCertificate{.commonName = "ingot", .dnsNames = {}, .ipAddresses = {"127.0.0.1"}},
                           clock.wall());
  }
  void write(const net::KeyPair& pair) const {
    base::writeFileAtomically(folder.path() + "/tls.crt", pair.certificatePem);
    base::writeFileAtomically(folder.path() + "/tls.key", pair.privateKeyPem.reveal());
  }
  // It has looked once when this returns.
  void start() {
    tasks.spawn("webhooks", listener->run());
    listenersClock.settle();
  }
  void lookAgain() { listenersClock.advance(10s); }
  void serve() {
    write(issue());
    start();
    REQUIRE(listener->obstacle().empty());
  }
  std::size_t logged(const std::string& text) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        log->lines(), [&](const std::string& line) { return line.find(text) != std::string::npos; }));
  }

  std::unique_ptr<net::HttpClient> client(const std::string& caPem = "") {
    return transport->connect({.baseUrl = fmt::format("https://127.0.0.1:{}", listener->port()),
                               .tls = {.caPem = caPem.empty() ? authority.certificatePem() : caPem}});
  }
  net::HttpResponse send(net::HttpRequest request) { return run(client()->send(std::move(request))); }
  net::HttpResponse post(const std::string& path, std::string body, const std::string& type = "application/json") {
    return send({.method = "POST", .target = path, .headers = {{"Content-Type", type}}, .body = std::move(body)});
  }
  json::Value review(const std::string& path, const json::Value& body) {
    const auto answer = post(path, json::serialize(body));
    REQUIRE(answer.status == 200);
    CHECK(answer.headers.get("Content-Type") == "application/json");
    return json::parse(answer.body);
  }
};

const std::string kAttachments = "/validate-metal3-io-v1alpha1-hostnetworkattachment";

json::Value removalOfNetwork() {
  return admissionReview(
      {.operation = "DELETE",
       .oldObject = json::parseYamlValue("{apiVersion: metal3.io/v1alpha1, kind: HostNetworkAttachment, "
                                         "metadata: {name: net, namespace: metal}, spec: {mode: access}}")});
}

json::Value hostOn(const std::string& network) {
  return json::parseYamlValue(
      "{apiVersion: metal3.io/v1alpha1, kind: BareMetalHost, metadata: {name: h, namespace: metal}, spec: "
      "{online: true, networkInterfaces: [{name: eth0, hostNetworkAttachment: {name: " +
      network + "}}]}}");
}

const std::string kPools = "/validate-ipam-metal3-io-v1alpha1-ippool";

// An update that leaves less addresses: those in use are looked up.
json::Value narrowedPoolOf(const std::string& namespace_) {
  const auto pool = [&](const std::string& end) {
    return json::parseYamlValue(fmt::format(
        "{{apiVersion: ipam.metal3.io/v1alpha1, kind: IPPool, metadata: {{name: pool, namespace: {}}}, spec: "
        "{{namePrefix: net, allocationStrategy: sequential, pools: [{{start: 10.0.0.1, end: {}}}]}}}}",
        namespace_, end));
  };
  return admissionReview({.operation = "UPDATE", .object = pool("10.0.0.5"), .oldObject = pool("10.0.0.9")});
}

// Many reviews at once, each on a connection of its own.
struct Crowd {
  Serving& site;
  std::vector<int> codes = {};  // of the answers, in their order
  base::Notifier answered{site.io.get_executor()};
  std::unique_ptr<net::HttpClient> client =
      site.transport->connect({.baseUrl = fmt::format("https://127.0.0.1:{}", site.listener->port()),
                               .tls = {.caPem = site.authority.certificatePem()},
                               .maxConnections = 25});
  base::TaskGroup reviews{site.runtime.executor, site.runtime.log};

  explicit Crowd(Serving& all) : site(all) {}
  ~Crowd() { site.run(reviews.close()); }

  void ask(const std::string& path, const json::Value& review, int times) {
    for (int i = 0; i < times; ++i) reviews.spawn("review", askOnce(path, json::serialize(review)));
  }
  void await(std::size_t count) { site.run(answers(count)); }

 private:
  base::Task<void> askOnce(std::string path, std::string body) {
    net::HttpRequest request{.method = "POST", .target = path, .body = std::move(body)};
    request.headers.set("Content-Type", "application/json");
    codes.push_back((co_await client->send(std::move(request))).status);
    answered.notifyAll();
  }
  base::Task<void> answers(std::size_t count) {
    while (codes.size() < count) co_await answered.wait();
  }
};

json::Value manyTemplates(std::size_t count, std::size_t bytes = 10) {
  json::Array all;
  for (std::size_t i = 0; i < count; ++i)
    all.push_back(json::Object{
        {"apiVersion", kInfra + "v1beta1"},
        {"kind", "Metal3MachineTemplate"},
        {"metadata",
         json::Object{{"name", fmt::format("t{}", i)}, {"annotations", json::Object{{"a", std::string(bytes, 'x')}}}}},
        {"spec", json::Object{{"template", json::Object{{"spec", json::Object{}}}}}}});
  return conversionReview(kInfra + "v1beta2", std::move(all));
}

}  // namespace

TEST_CASE("a certificate that is not there yet is waited for, and said to be", "[webhooks][tls]") {
  Serving site;
  site.start();
  CHECK_THAT(site.listener->obstacle(), Catch::StartsWith("waits for its certificate: ") && Contains("tls.crt"));
  CHECK(site.listener->port() == 0);
  for (int times = 0; times < 3; ++times) site.lookAgain();
  CHECK(site.logged("webhooks wait for their certificate") == 1);

  site.write(site.issue());
  site.listenersClock.advance(1s - 1ns);
  CHECK(site.listener->port() == 0);
  site.listenersClock.advance(1ns);
  CHECK(site.listener->obstacle().empty());
  CHECK(json::textAt(site.review("/convert", manyTemplates(1)), {"response", "result", "status"}) == "Success");
}

TEST_CASE("a new certificate is taken up while it serves; one that cannot be used is not", "[webhooks][tls]") {
  Serving site;
  site.serve();
  const auto port = site.listener->port();
  const auto other = net::CertificateAuthority::create("other", site.clock.wall());
  const auto next = other.issue(
      net::ServerCertificate{.commonName = "next", .dnsNames = {}, .ipAddresses = {"127.0.0.1"}}, site.clock.wall());

  base::writeFileAtomically(site.folder.path() + "/tls.crt", next.certificatePem);  // the key is still the old one
  for (int times = 0; times < 3; ++times) site.lookAgain();
  CHECK(site.logged("webhooks keep their certificate") == 1);
  CHECK(site.logged("webhooks keep their certificate: the new one cannot be used") == 1);
  CHECK(site.listener->obstacle().empty());
  CHECK(site.post("/convert", json::serialize(manyTemplates(1))).status == 200);

  base::writeFileAtomically(site.folder.path() + "/tls.key", next.privateKeyPem.reveal());
  site.lookAgain();
  CHECK(site.logged("webhooks use this certificate") == 2);
  CHECK(site.listener->port() == port);
  CHECK(site.post("/convert", json::serialize(manyTemplates(1))).status == 200);  // on a connection of before
  CHECK_THROWS_AS(site.send({.target = "/convert", .headers = {{"Connection", "close"}}}), net::HttpError);
  CHECK(site.run(site.client(other.certificatePem())->send({.method = "GET", .target = "/convert"})).status == 405);

  for (const char* name : {"/tls.crt", "/tls.key"}) std::filesystem::remove(site.folder.path() + name);
  site.lookAgain();
  CHECK(site.logged("webhooks keep their certificate") == 2);
  CHECK(site.listener->obstacle().empty());
}

TEST_CASE("who is to leave answers, and has clients connect anew", "[webhooks]") {
  Serving site;
  const bool isServing = GENERATE(true, false);  // or its certificate comes while it leaves
  if (isServing) site.serve();
  site.listener->leave();
  if (!isServing) site.serve();
  const auto answer = site.post("/convert", json::serialize(manyTemplates(1)));
  CHECK(answer.status == 200);
  CHECK(answer.headers.get("Connection") == "close");
}

TEST_CASE("no byte of a key reaches the log, whatever is wrong with it", "[webhooks][tls]") {
  Serving site;
  site.start();
  const auto pair = site.issue();
  const std::string key = pair.privateKeyPem.reveal(), secret = key.substr(key.find('\n') + 1, 20);
  for (const std::string& wrong : {key.substr(0, key.size() / 2), "x" + key, std::string()}) {
    site.write({pair.certificatePem, base::Secret(wrong)});
    site.lookAgain();
    CHECK_THAT(site.listener->obstacle(), Catch::StartsWith("waits for its certificate: "));
  }
  site.write({pair.certificatePem, base::Secret(key + key.substr(30))});  // one that can be used, with a rest
  site.lookAgain();
  CHECK(site.listener->obstacle().empty());
  CHECK(site.logged("webhooks wait for their certificate") > 1);
  CHECK(site.logged(secret) == 0);
  CHECK(site.logged("PRIVATE KEY-----") == 0);
}

TEST_CASE("a taken port ends the listener, which names it", "[webhooks]") {
  Serving first;
  first.serve();
  Serving second({.port = 0});
  second.write(second.issue());
  ListenerOptions options{
      .address = "127.0.0.1", .port = first.listener->port(), .files = {.folder = second.folder.path()}};
  Listener taken(second.runtime, options, second.api->api());
  CHECK_THROWS_WITH(second.run(taken.run()), Contains(std::to_string(first.listener->port())));
}

TEST_CASE("what is no review gets a Status that says what would be right", "[webhooks]") {
  Serving site({.admissionBytes = 100'000, .conversionBytes = 200'000});
  site.serve();
  struct Row {
    net::HttpRequest request;
    int status;
    std::string says;
  };
  const net::Headers asJson{{"Content-Type", "application/json; charset=utf-8"}};
  const std::string cluster = "/validate-infrastructure-cluster-x-k8s-io-v1beta2-metal3cluster";
  const std::vector<Row> rows = {
      {{.method = "POST", .target = "/validate-x", .headers = asJson, .body = "{}"},
       404,
       "there is no webhook at /validate-x; there are /convert, and /mutate-GROUP-VERSION-KIND"},
      {{.method = "POST", .target = "/", .headers = asJson, .body = std::string(90'000, 'x')},
       404,
       "Metal3MachineTemplate"},
      {{.method = "GET", .target = cluster}, 405, "POST"},
      {{.method = "POST", .target = cluster, .headers = {{"Content-Type", "application/yaml"}}, .body = "{}"},
       415,
       "application/json"},
      {{.method = "POST", .target = cluster, .headers = asJson, .body = "{\"a\": "}, 400, "the body is no JSON: "},
      {{.method = "POST", .target = cluster, .headers = asJson, .body = std::string(100'000, '[')},
       400,
       "the body is no JSON: "},
      {{.method = "POST", .target = cluster, .headers = asJson, .body = "{\"kind\":\"Pod\"}"},
       400,
       "must be one of kind \"AdmissionReview\" and apiVersion \"admission.k8s.io/v1\""},
      {{.method = "POST", .target = "/convert", .headers = asJson, .body = "{\"kind\":\"Pod\"}"},
       400,
       "must be one of kind \"ConversionReview\""},
      {{.method = "POST", .target = cluster, .headers = asJson, .body = std::string(100'001, 'x')},
       413,
       "may have 100000 bytes at most"},
      {{.method = "POST", .target = "/convert", .headers = asJson, .body = std::string(200'001, 'x')},
       413,
       "may have 200000 bytes at most"},
      {{.method = "POST", .target = "/convert", .headers = asJson}, 400, "the body is no JSON"},
  };
  for (const auto& row : rows) {
    INFO(row.request.method << " " << row.request.target << ": " << row.says);
    const auto answer = site.send(row.request);
    CHECK(answer.status == row.status);
    const json::Value status = json::parse(answer.body);
    CHECK(json::textAt(status, {"kind"}) == "Status");
    CHECK(json::intAt(status, {"code"}) == row.status);
    CHECK_THAT(json::textAt(status, {"message"}), Contains(row.says));
  }
  CHECK(json::textAt(site.review("/convert", manyTemplates(1)), {"response", "result", "status"}) == "Success");
}

TEST_CASE("a long list is converted whole", "[webhooks]") {
  Serving site;
  site.serve();
  const json::Value out = site.review("/convert?timeout=30s", manyTemplates(1000, 1000));
  REQUIRE(json::arrayAt(out, {"response", "convertedObjects"})->size() == 1000);
  CHECK(json::textAt(out.at("response").at("convertedObjects").at(999), {"metadata", "name"}) == "t999");
}

TEST_CASE("who uses a network is looked up in the API", "[webhooks]") {
  Serving site;
  site.serve();
  CHECK(isAllowed(site.review(kAttachments, removalOfNetwork())));
  site.hosts = {hostOn("other"), hostOn("net")};
  CHECK_THAT(messageIn(site.review(kAttachments, removalOfNetwork())),
             Contains("referenced by BMH interfaces: metal/h[eth0]"));
  site.isSecondPage = true;
  CHECK_FALSE(isAllowed(site.review(kAttachments, removalOfNetwork())));
  site.kubeStatus = 404;  // the kind is not installed
  CHECK(isAllowed(site.review(kAttachments, removalOfNetwork())));
  site.kubeStatus = 403;
  const json::Value refused = site.review(kAttachments, removalOfNetwork());
  CHECK_FALSE(isAllowed(refused));
  CHECK_THAT(messageIn(refused), Contains("who uses the object could not be looked up: "));
}

TEST_CASE("a client that sends slowly, or nothing, is cut off", "[webhooks]") {
  Serving site;
  site.serve();
  // Content-Length announces more than ever comes: the request ends by the server's deadline, not by the client's.
  bool isCutOff = false;
  site.tasks.spawn("slow client", [](Serving& at, bool& ended) -> base::Task<void> {
    const auto client = at.client();
    try {
      co_await client->send({.method = "POST",
                             .target = "/convert",
                             .headers = {{"Content-Type", "application/json"}, {"Content-Length", "5000"}},
                             .body = "{}",
                             .deadline = 4min});
    } catch (const net::HttpError&) {
      ended = true;
    }
  }(site, isCutOff));
  const auto begun = site.listenersClock.now();
  while (!isCutOff && site.listenersClock.now() - begun < 1min) {
    site.io.restart();
    if (site.io.run_one_for(20ms) == 0) site.listenersClock.advance(1s);  // nothing is on its way any more
  }
  CHECK(isCutOff);
  CHECK(site.listenersClock.now() - begun >= 10s);
  CHECK(site.listenersClock.now() - begun <= 12s);
}

TEST_CASE("a large review that there is no room for is sent away to come again", "[webhooks]") {
  Serving site({.allBytes = 300'000});
  site.serve();
  const auto answer = site.post("/convert", json::serialize(manyTemplates(2, 100'000)));
  CHECK(answer.status == 429);
  CHECK(answer.headers.get("Retry-After") == "1");
  CHECK(site.post("/convert", json::serialize(manyTemplates(1, 100'000))).status == 200);
  CHECK(site.post("/convert", json::serialize(manyTemplates(1, 100'000))).status == 200);
}

TEST_CASE("128 MiB of large reviews have room at once, and small ones always have", "[webhooks]") {
  Serving site;
  const auto hasRoom = [&](std::size_t bytes, const std::string& client) {
    return site.listener->wantsBody(
        {.method = "POST",
         .target = "/convert",
         .headers = {{"Content-Type", "application/json"}, {"Content-Length", std::to_string(bytes)}},
         .remoteAddress = client});
  };
  const std::string one = "10.0.0.1:40001", other = "[fd00::1]:40002", third = "10.0.0.3:1";
  CHECK_FALSE(hasRoom((32u << 20) + 1, one));  // more than one review may have
  for (const char* port : {"40001", "40002"}) CHECK(hasRoom(32u << 20, std::string("10.0.0.1:") + port));
  CHECK_FALSE(hasRoom(65u << 10, one));
  CHECK(hasRoom(32u << 20, other));
  CHECK(hasRoom(16u << 20, third));
  CHECK(hasRoom(64u << 10, one));
}

TEST_CASE("reviews that look other objects up wait for each other, a few of them", "[webhooks]") {
  Serving site;
  site.serve();
  site.hangs = true;
  Crowd crowd(site);
  crowd.ask(kAttachments, removalOfNetwork(), 25);
  crowd.await(5);
  CHECK(crowd.codes == std::vector<int>(5, 429));
  CHECK(site.asked == 2);  // the other turns are for other namespaces
  site.hangs = false;
  site.goesOn.notifyAll();
  crowd.await(25);
  CHECK(std::ranges::count(crowd.codes, 200) == 20);
}

TEST_CASE("a namespace that looks much up, in many reviews, does not hold up another's", "[webhooks]") {
  Serving site;
  site.serve();
  site.endless = "greedy";
  Crowd crowd(site);
  crowd.ask(kPools, narrowedPoolOf("greedy"), 25);
  crowd.await(5);
  CHECK(crowd.codes == std::vector<int>(5, 429));
  for (int times = 0; times < 3; ++times) CHECK(isAllowed(site.review(kPools, narrowedPoolOf("modest"))));
  CHECK(crowd.codes.size() == 5);
  site.endless = "nobody";
  crowd.await(25);
}
