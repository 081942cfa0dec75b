#include "tests/contract/peer.hpp"

#include "apiserver/embedded.hpp"
#include "base/base64.hpp"
#include "base/file.hpp"
#include "base/run.hpp"
#include "json/codec.hpp"
#include "json/yaml.hpp"
#include "tests/apiserver/store/fixture.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <cstdlib>

namespace ingot::contract {

namespace {

constexpr base::Duration kPatience = std::chrono::minutes(5);  // a busy machine's
constexpr std::size_t kHistoryEvents = 64;  // of the embedded API: few enough to be forgotten within a case

std::string decoded(const json::Value& v, std::string_view key) {
  return base::fromBase64(json::textAt(v, {key})).value();
}

std::string crdFile(const std::string& name) { return base::readFile(std::string(INGOT_SOURCE_DIR) + "/crds/" + name); }

}  // namespace

struct Peer::State {
  boost::asio::io_context io;
  base::SystemClock clock;
  std::unique_ptr<base::Random> random = base::systemRandom();
  base::Runtime runtime{io.get_executor(), clock, *random, base::Log::silent()};
  std::unique_ptr<apiserver::EmbeddedApi> embedded;
  apiserver::tests::TemporaryFolder data;
  std::unique_ptr<net::HttpTransport> transport = net::curlTransport(runtime);
  std::unique_ptr<net::HttpClient> admin, nobody;

  Which which = Which::configured;

  std::string kubeconfig() {
    const char* path = which == Which::configured ? std::getenv("INGOT_CONTRACT_KUBECONFIG") : nullptr;
    if (path) return base::readFile(path);
    apiserver::EmbeddedOptions options{.dataDir = data.path(), .listen = "127.0.0.1:0"};
    options.store.history.mostEvents = kHistoryEvents;
    options.crds = {crdFile("metal3.io_baremetalhosts.yaml"), crdFile("metal3.io_hardwaredata.yaml")};
    embedded = base::run(io, apiserver::EmbeddedApi::start(runtime, std::move(options)));
    return embedded->kubeconfig();
  }

  void disconnect() {
    admin.reset();
    nobody.reset();
    if (embedded) base::run(io, embedded->stop(std::chrono::seconds(1)));
    embedded.reset();
  }

  void connect() {
    const json::Value config = json::parseYamlValue(kubeconfig());
    const json::Value& cluster = config.at("clusters").at(0).at("cluster");
    const json::Value& user = config.at("users").at(0).at("user");
    net::ClientOptions options{
        .baseUrl = json::textAt(cluster, {"server"}), .maxConnections = 16, .userAgent = "contract"};
    options.tls.caPem = decoded(cluster, "certificate-authority-data");
    nobody = transport->connect(options);
    options.tls.certificatePem = decoded(user, "client-certificate-data");
    options.tls.privateKeyPem = base::Secret(decoded(user, "client-key-data"));
    admin = transport->connect(options);
  }
};

Peer::Peer(Which which) : state_(std::make_unique<State>()) {
  state_->which = which;
  state_->connect();
}

Peer::~Peer() { state_->disconnect(); }

bool Peer::embedded() const { return state_->embedded != nullptr; }

boost::asio::io_context& Peer::loop() { return state_->io; }
base::Runtime Peer::runtime() { return state_->runtime; }
net::HttpTransport& Peer::transport() { return *state_->transport; }
std::string Peer::kubeconfigPath() const {
  if (embedded()) return state_->embedded->kubeconfigPath();
  const char* path = std::getenv("INGOT_CONTRACT_KUBECONFIG");
  if (path == nullptr) throw std::runtime_error("INGOT_CONTRACT_KUBECONFIG is not set");
  return path;
}

namespace {

Reply replyOf(net::HttpResponse response) {
  return {response.status, std::move(response.headers), std::move(response.body)};
}

base::Task<void> sendInto(net::HttpClient& client, net::HttpRequest request, Reply& into) {
  into = replyOf(co_await client.send(std::move(request)));
}

base::Task<void> sendBoth(base::Runtime& runtime, net::HttpClient& client, net::HttpRequest a, net::HttpRequest b,
                          Reply& x, Reply& y) {
  base::TaskGroup group(runtime.executor, runtime.log);
  group.spawn("a", sendInto(client, std::move(a), x));
  group.spawn("b", sendInto(client, std::move(b), y));
  co_await group.join();
  co_await group.close();
}

// One of several that share the work.
base::Task<void> sendNext(net::HttpClient& client, std::vector<net::HttpRequest>& requests, std::size_t& next,
                          std::vector<Reply>& replies) {
  while (next < requests.size()) {
    const std::size_t mine = next++;
    replies[mine] = replyOf(co_await client.send(std::move(requests[mine])));
  }
}

base::Task<void> sendEach(base::Runtime& runtime, net::HttpClient& client, std::vector<net::HttpRequest>& requests,
                          std::vector<Reply>& replies) {
  std::size_t next = 0;
  base::TaskGroup group(runtime.executor, runtime.log);
  for (int i = 0; i < 4; ++i) group.spawn("sender", sendNext(client, requests, next, replies));
  co_await group.join();
  co_await group.close();
}

using Lines = std::vector<json::Value>;

base::Task<bool> readMore(net::HttpStream& stream, std::string& rest, Lines& lines) {
  const auto piece = co_await stream.next(kPatience);
  if (!piece) co_return false;
  rest += *piece;
  for (auto end = rest.find('\n'); end != std::string::npos; end = rest.find('\n')) {
    lines.push_back(json::parse(rest.substr(0, end)));
    rest.erase(0, end + 1);
  }
  co_return true;
}

}  // namespace

Reply Peer::send(const std::string& method, const std::string& target, std::string body, net::Headers headers, As as) {
  if (!body.empty() && !headers.find("Content-Type")) headers.set("Content-Type", "application/json");
  net::HttpRequest request{.method = method,
                           .target = target,
                           .headers = std::move(headers),
                           .body = std::move(body),
                           .deadline = kPatience};
  net::HttpClient& client = as == As::admin ? *state_->admin : *state_->nobody;
  return replyOf(base::run(state_->io, client.send(std::move(request))));
}

Reply Peer::get(const std::string& target, const std::string& accept) {
  return send("GET", target, {}, {{"Accept", accept}});
}

Reply Peer::patch(const std::string& target, const std::string& body, const std::string& type) {
  return send("PATCH", target, body, {{"Content-Type", type}});
}

std::vector<Reply> Peer::sendAll(std::vector<net::HttpRequest> requests) {
  std::vector<Reply> replies(requests.size());
  base::run(state_->io, sendEach(state_->runtime, *state_->admin, requests, replies));
  return replies;
}

std::pair<Reply, Reply> Peer::together(net::HttpRequest a, net::HttpRequest b) {
  std::pair<Reply, Reply> out;
  base::run(state_->io, sendBoth(state_->runtime, *state_->admin, std::move(a), std::move(b), out.first, out.second));
  return out;
}

std::vector<json::Value> Peer::watch(const std::string& target, const std::function<bool(const Lines&)>& enough,
                                     const std::function<void()>& act, const std::string& accept) {
  auto stream = base::run(state_->io, state_->admin->open({.target = target, .headers = {{"Accept", accept}}}));
  REQUIRE(stream->status() == 200);
  if (act) act();
  Lines lines;
  std::string rest;
  while (!enough(lines))
    if (!base::run(state_->io, readMore(*stream, rest, lines))) break;
  return lines;
}

void Peer::eventually(const std::function<bool()>& done) {
  const auto deadline = state_->clock.now() + kPatience;
  while (!done()) {
    REQUIRE(state_->clock.now() < deadline);
    base::run(state_->io, state_->clock.sleepFor(std::chrono::milliseconds(50)));
  }
}

// The script that started a kube-apiserver (start_kube_apiserver.sh) also restarts it, and then raises the counter of
// starts.
void Peer::restart() {
  const char* starter = std::getenv("INGOT_CONTRACT_STARTER");
  if (!starter) {
    state_->disconnect();
    return state_->connect();
  }
  const std::string counter = std::string(std::getenv("INGOT_CONTRACT_KUBECONFIG")) + ".starts";
  const std::string before = base::readFile(counter);
  REQUIRE(::kill(std::stoi(starter), SIGUSR1) == 0);
  eventually([&] { return base::readFile(counter) != before; });
  // A kube-apiserver that is ready may still answer 429 to whoever asks for a kind first.
  for (const auto* collection :
       {"/apis/metal3.io/v1alpha1/baremetalhosts", "/apis/metal3.io/v1alpha1/hardwaredata", "/api/v1/configmaps",
        "/api/v1/events", "/api/v1/secrets", "/api/v1/namespaces", "/apis/coordination.k8s.io/v1/leases"})
    eventually([&] { return get(std::string(collection) + "?resourceVersion=0").status == 200; });
}

// etcd is told to compact its history, and the kube-apiserver is restarted to forget it too. The embedded API keeps a
// fixed number of changes, so more than that are written.
void Peer::forgetHistory(const std::string& object) {
  const char* etcd = std::getenv("INGOT_CONTRACT_ETCD");
  if (!etcd) {
    const std::string text(2000, 'x');  // the kind that takes most room is forgotten first
    for (std::size_t i = 0; i < 2 * kHistoryEvents; ++i)
      REQUIRE(patch(object, fmt::format(R"({{"metadata":{{"annotations":{{"a":"{}{}"}}}}}})", text, i)).status == 200);
    return;
  }
  const auto client = state_->transport->connect({.baseUrl = etcd});
  const auto ask = [&](const char* path, std::string body) {
    const auto reply = base::run(state_->io, client->send({.method = "POST", .target = path, .body = std::move(body)}));
    REQUIRE(reply.status == 200);
    return json::parse(reply.body);
  };
  const std::string now =
      json::textAt(ask("/v3/kv/range", R"({"key":"AA==","count_only":true})"), {"header", "revision"});
  static_cast<void>(ask("/v3/kv/compaction", R"({"revision":")" + now + R"(","physical":true})"));
  restart();
  const std::string collection = object.substr(0, object.rfind('/'));
  eventually([&] {
    return get(object).status == 200 && get(collection + "?resourceVersion=0").status == 200;
  });  // 429 while it gets ready
}

std::string Peer::space() {
  const Reply made = post("/api/v1/namespaces", R"({"metadata":{"generateName":"contract-"}})");
  REQUIRE(made.status == 201);
  return made.at({"metadata", "name"});
}

Peer& peer() {
  static Peer one;
  return one;
}

std::string host(const std::string& name, const std::string& spec, const std::string& metadata) {
  return R"({"apiVersion":"metal3.io/v1alpha1","kind":"BareMetalHost","metadata":{"name":")" + name + "\"" + metadata +
         R"(},"spec":)" + spec + "}";
}

std::string configMap(const std::string& name, const std::string& rest, const std::string& metadata) {
  return R"({"metadata":{"name":")" + name + "\"" + metadata + "}" + rest + "}";
}

std::string crd(const std::string& plural, const std::string& kind, const std::string& schema) {
  return R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":")" + plural +
         R"(.test.io"},"spec":{"group":"test.io","scope":"Namespaced","names":{"plural":")" + plural + R"(","kind":")" +
         kind +
         R"("},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":)" +
         schema + "}}}}]}}";
}

std::string install(const std::string& plural, const std::string& kind, const std::string& schema,
                    const std::string& space) {
  const Reply made = peer().post(kCrdPath, crd(plural, kind, schema));
  INFO(made.text);
  REQUIRE(made.status == 201);
  const std::string path = "/apis/test.io/v1/namespaces/" + space + "/" + plural;
  peer().eventually([&] { return peer().get(path).status == 200; });
  return path;
}

}  // namespace ingot::contract
