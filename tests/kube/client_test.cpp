#include "base/file.hpp"
#include "kube/client/field_selector.hpp"
#include "tests/kube/cluster.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using tests::Cluster;
using tests::Fault;
using tests::Widget;
using tests::widget;
using Code = kube::Error::Code;

namespace {

kube::ObjectKey key(std::string name) { return {"ns", std::move(name)}; }

std::optional<Code> codeOf(auto&& call) {
  try {
    call();
  } catch (const kube::Error& e) {
    return e.code();
  }
  return std::nullopt;
}

std::string saying(const std::string& message) {
  return R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"InternalError","code":500,)"
         R"("message":"Internal error occurred: )" +
         message + R"("})";
}

// The next `times` calls of this method meet the fault.
void failNext(Cluster& c, std::string method, unsigned times, Fault fault) {
  c.api.fault = [method, fault, times, seen = 0u](const net::ServerRequest& r) mutable -> std::optional<Fault> {
    if (r.method != method || seen == times) return std::nullopt;
    ++seen;
    return fault;
  };
}

}  // namespace

TEST_CASE("an object is created, read, changed and deleted", "[kube][client]") {
  Cluster c;
  const Widget made = c.run(c.client->create(widget("a", 1)));
  CHECK(made.metadata.uid == "uid-1");
  CHECK(c.run(c.client->get<Widget>(key("a"))) == made);
  const Widget patched = c.run(c.client->patch<Widget>(key("a"), json::parse(R"({"spec":{"size":2}})")));
  CHECK(patched.spec.size == 2);
  Widget replaced = patched;
  replaced.spec.size = 3;
  CHECK(c.run(c.client->update(replaced)).spec.size == 3);
  CHECK(c.run(c.client->remove<Widget>(key("a"))));
  CHECK_FALSE(c.run(c.client->get<Widget>(key("a"))));
  CHECK_FALSE(c.run(c.client->remove<Widget>(key("a"))));
}

TEST_CASE("a list is read page by page from one snapshot", "[kube][client]") {
  Cluster c;
  for (const char* name : {"a", "b", "c", "d", "e"}) c.put(name, 1);
  c.api.pageLimit = 2;
  CHECK(c.run(c.client->list<Widget>({.namespace_ = "ns"})).size() == 5);
  CHECK(c.api.count("GET") == 3);
}

TEST_CASE("a list whose snapshot expired between two pages starts over", "[kube][client]") {
  Cluster c;
  for (const char* name : {"a", "b", "c"}) c.put(name, 1);
  c.api.pageLimit = 2;
  c.api.betweenPages = [&, done = false]() mutable {
    if (!std::exchange(done, true)) c.erase("a");
  };
  CHECK(c.run(c.client->list<Widget>()).size() == 2);
}

TEST_CASE("preconditions guard a delete", "[kube][client]") {
  Cluster c;
  c.put("a", 1);
  CHECK(codeOf([&] { c.run(c.client->remove<Widget>(key("a"), {.uid = "another"})); }) == Code::conflict);
  CHECK(c.run(c.client->remove<Widget>(key("a"), {.uid = "uid-1"})));
}

TEST_CASE("what a failed call leads to", "[kube][client][retry]") {
  struct Row {
    std::string method;
    Fault fault;
    std::optional<Code> code;  // after one such failure; nullopt: it was tried again and went well
  };
  const Row rows[] = {
      {"GET", {.status = 503}, std::nullopt},
      {"GET", {.status = 500}, std::nullopt},
      {"GET", {.kind = Fault::Kind::cutBefore}, std::nullopt},
      {"GET", {.kind = Fault::Kind::hang}, std::nullopt},
      {"GET", {.status = 429, .retryAfter = "2"}, std::nullopt},
      {"GET", {.status = 403}, Code::forbidden},
      {"PATCH", {.status = 429}, std::nullopt},
      {"PATCH", {.status = 503, .retryAfter = "1"}, std::nullopt},
      {"PATCH", {.status = 503}, Code::unavailable},
      {"PATCH", {.status = 500, .body = saying("etcdserver: request timed out")}, Code::internal},
      {"PATCH", {.status = 500, .body = saying(R"(failed calling webhook \"w\": no endpoints)")}, std::nullopt},
      {"PATCH", {.status = 500, .body = saying("conversion webhook for w failed: no endpoints")}, Code::internal},
      {"PATCH", {.status = 409}, Code::conflict},
      {"PATCH", {.status = 422}, Code::invalid},
      {"PATCH", {.kind = Fault::Kind::cutBefore}, Code::interrupted},
      {"PATCH", {.kind = Fault::Kind::cutAfter}, Code::interrupted},
      {"PATCH", {.kind = Fault::Kind::hang}, Code::interrupted},
  };
  for (const auto& row : rows) {
    CAPTURE(row.method, static_cast<int>(row.fault.kind), row.fault.status);
    Cluster c;
    c.put("a", 1);
    failNext(c, row.method, 1, row.fault);
    CHECK(codeOf([&] {
            if (row.method == "GET")
              static_cast<void>(c.run(c.client->get<Widget>(key("a"))));
            else
              static_cast<void>(c.run(c.client->patch<Widget>(key("a"), json::parse(R"({"spec":{"size":2}})"))));
          }) == row.code);
  }
}

TEST_CASE("the client gives up after its last try, and waits as long as it is told", "[kube][client][retry]") {
  Cluster c;
  c.put("a", 1);
  failNext(c, "GET", 100, {.status = 429, .retryAfter = "3"});
  const auto begun = c.loop.clock.now();
  CHECK(codeOf([&] { static_cast<void>(c.run(c.client->get<Widget>(key("a")))); }) == Code::tooManyRequests);
  CHECK(c.api.count("GET") == 4);
  CHECK(c.loop.clock.now() - begun >= 9s);
}

TEST_CASE("a server that is not there is an error that says so", "[kube][client]") {
  Cluster c;
  c.network.remove("https://fake:6443");
  CHECK(codeOf([&] { static_cast<void>(c.run(c.client->create(widget("a")))); }) == Code::unreachable);
}

TEST_CASE("an event of a watch that is longer than the client allows ends the watch", "[kube][client][watch]") {
  Cluster c;
  const auto client = kube::connect(c.runtime, c.network, {.server = "https://fake:6443"}, {.lineLimit = 2000});
  c.put("a", 1);
  c.put(std::string(3000, 'b'), 1);
  auto stream = c.run(client->api().watch(kube::Resource::of(Widget::info), {.resourceVersion = "0"}));
  CHECK(c.run(stream.next(1min)).has_value());
  CHECK(codeOf([&] { static_cast<void>(c.run(stream.next(1min))); }) == Code::badAnswer);
}

TEST_CASE("an answer that is not JSON is no answer", "[kube][client]") {
  Cluster c;
  failNext(c, "GET", 1, {.status = 200, .body = "<html>"});
  CHECK(codeOf([&] { static_cast<void>(c.run(c.client->get<Widget>(key("a")))); }) == Code::badAnswer);
}

TEST_CASE("a rotated token file is read again when the server refuses the old token", "[kube][client][token]") {
  Cluster c;
  const std::string file = "/tmp/ingot-kube-token-" + c.loop.random->uuid();
  base::writeFileAtomically(file, "old\n");
  c.client = kube::connect(c.runtime, c.network, {.server = "https://fake:6443", .tokenFile = file});
  std::string wanted = "Bearer old";
  c.api.fault = [&](const net::ServerRequest& r) -> std::optional<Fault> {
    if (r.headers.get("Authorization") == wanted) return std::nullopt;
    return Fault{.status = 401};
  };
  CHECK_FALSE(c.run(c.client->get<Widget>(key("a"))));
  base::writeFileAtomically(file, "new\n");
  wanted = "Bearer new";
  CHECK_FALSE(c.run(c.client->get<Widget>(key("a"))));
  wanted = "Bearer other";
  CHECK(codeOf([&] { static_cast<void>(c.run(c.client->get<Widget>(key("a")))); }) == Code::unauthorized);
  std::remove(file.c_str());
}

TEST_CASE("a rotated client certificate is used when its files have changed, without a restart",
          "[kube][client][token]") {
  Cluster c;
  const std::string file = "/tmp/ingot-kube-certificate-" + c.loop.random->uuid();
  base::writeFileAtomically(file, "old");
  std::string offered, wanted = "old";
  c.network.beforeRequest = [&](const net::ClientOptions& options, const net::HttpRequest&) {
    offered = options.tls.certificatePem;
  };
  c.api.fault = [&](const net::ServerRequest&) -> std::optional<Fault> {
    if (offered == wanted) return std::nullopt;
    return Fault{.status = 401};
  };
  c.client = kube::connect(c.runtime, c.network,
                           {.server = "https://fake:6443",
                            .tls = {.certificatePem = "old", .privateKeyPem = base::Secret("key")},
                            .certificateFiles = {.certificate = file}});
  CHECK_FALSE(c.run(c.client->get<Widget>(key("a"))));
  base::writeFileAtomically(file, "new");
  wanted = "new";
  CHECK_FALSE(c.run(c.client->get<Widget>(key("a"))));  // refused once, read again
  base::writeFileAtomically(file, "newer");
  c.advance(61s);
  CHECK(codeOf([&] { static_cast<void>(c.run(c.client->get<Widget>(key("a")))); }) == Code::unauthorized);
  CHECK(offered == "newer");  // after a minute nobody needs to be refused
  std::remove(file.c_str());
  c.advance(61s);
  wanted = "newer";
  CHECK_FALSE(c.run(c.client->get<Widget>(key("a"))));  // a missing file leaves the last one in force
  c.network.beforeRequest = {};
}

TEST_CASE("paths and queries are spelled as the server reads them", "[kube][client]") {
  const auto widgets = kube::Resource::of(Widget::info);
  CHECK(kube::collectionPath(widgets, "") == "/apis/test.ingot.dev/v1/widgets");
  CHECK(kube::collectionPath(widgets, "ns", {{"limit", "5"}, {"labelSelector", "a in (b,c)"}, {"x", ""}}) ==
        "/apis/test.ingot.dev/v1/namespaces/ns/widgets?limit=5&labelSelector=a%20in%20%28b%2Cc%29");
  CHECK(kube::objectPath({.version = "v1", .plural = "namespaces", .namespaced = false}, {"", "x"}, "status") ==
        "/api/v1/namespaces/x/status");
  CHECK(kube::objectPath(widgets, {"ns", "a b?watch=1"}) ==
        "/apis/test.ingot.dev/v1/namespaces/ns/widgets/a%20b%3Fwatch%3D1");
  CHECK(kube::fieldIs("metadata.name", "a,b=c\\") == "metadata.name=a\\,b\\=c\\\\");
}

TEST_CASE("a name that no object can have leads to no other path, and to no request", "[kube][client]") {
  Cluster c;
  const auto widgets = kube::Resource::of(Widget::info);
  const std::string wrong = GENERATE("", ".", "..", "a/status", "../a", "a%2Fb");
  CAPTURE(wrong);
  CHECK_FALSE(c.run(c.client->get<Widget>(key(wrong))));
  CHECK_FALSE(c.run(c.client->remove<Widget>(key(wrong))));
  CHECK(codeOf([&] {
          static_cast<void>(c.run(c.client->patch<Widget>(key(wrong), json::Object{{"spec", json::Object{}}})));
        }) == Code::notFound);
  for (auto broken : {&kube::Resource::group, &kube::Resource::version, &kube::Resource::plural}) {
    auto resource = widgets;
    if (wrong.empty()) break;  // no group is the core one
    resource.*broken = wrong;
    CHECK_FALSE(c.run(c.client->api().get(resource, key("a"))));
  }
  CHECK(codeOf([&] { static_cast<void>(kube::collectionPath(widgets, wrong.empty() ? ".." : wrong)); }) ==
        Code::notFound);
  CHECK(c.api.log.empty());
}
