// How a shadow tells what it has found.
#include "coordinator/shadow/report.hpp"

#include "base/log.hpp"
#include "coordinator/diagnostics/server.hpp"
#include "coordinator/shadow/shadow.hpp"
#include "tests/net/pair.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using namespace coordinator::shadow;
using coordinator::diagnostics::Guard;
using coordinator::diagnostics::Pages;

constexpr const char* kAsked = "https://cluster.test";
constexpr const char* kHost = "/apis/metal3.io/v1alpha1/namespaces/metal/baremetalhosts/";

// An API with whatever hosts are asked for, each online, and nobody who does what is wanted of them.
struct Telling : Loop {
  Telling() {
    network.serve(kAsked, server);
    shadow = std::make_unique<Shadow>(logged, network, metrics, Limits{.grace = 10s});
    shadow->transport().home(kAsked);
    client = shadow->transport().connect({.baseUrl = kAsked, .userAgent = userAgentOf("host")});
    tasks.spawn("shadow", shadow->run());
  }
  ~Telling() {
    run(tasks.close());
    client.reset();
    run(network.close());
  }
  Telling(const Telling&) = delete;
  Telling& operator=(const Telling&) = delete;

  void want(const std::string& host) {
    run(client->send({.method = "PATCH", .target = kHost + host, .body = R"({"spec":{"online":false}})"}));
  }
  // What the log says so, in all.
  std::size_t lines(std::string_view message) const {
    std::size_t count = 0;
    for (const auto& line : log->lines()) count += line.find(message) != std::string::npos ? 1 : 0;
    return count;
  }
  [[nodiscard]] json::Value report() const {
    return reportOf(shadow->book(), shadow->transport().asked(), {.now = clock.wall()});
  }
  // As who asks gets it.
  net::HttpResponse asked(net::HttpHandler& handler, const std::string& path) {
    network.serve("http://page.test", handler);
    const auto page = network.connect({.baseUrl = "http://page.test"});
    return run(page->send({.target = path}));
  }

  net::Loopback network{runtime};
  Handler server{[](net::ServerRequest request, net::Responder& out) {
    return out.send({.status = 200,
                     .body = fmt::format(R"({{"kind":"BareMetalHost","metadata":{{"namespace":"metal","name":"{}",
                                            "resourceVersion":"1"}},"spec":{{"online":true}}}})",
                                         request.path().substr(std::string_view(kHost).size()))});
  }};
  std::shared_ptr<base::MemorySink> log = std::make_shared<base::MemorySink>();
  base::Runtime logged{runtime.executor, clock, *random, base::Log(log, "test")};
  base::Metrics metrics;
  std::unique_ptr<Shadow> shadow;
  std::unique_ptr<net::HttpClient> client;
  base::TaskGroup tasks{runtime.executor, runtime.log};
};

TEST_CASE("a report has counts, what stands, and since when", "[shadow]") {
  Telling site;
  site.want("a");
  site.clock.advance(12s);
  Guard guard(Pages{.metrics = *site.shadow, .shadow = site.shadow.get()}, nullptr);
  const auto answer = site.asked(guard, "/shadow/report");
  REQUIRE(answer.status == 200);
  const json::Value report = json::parse(answer.body);
  CHECK(json::textAt(report, {"kind"}) == "ShadowReport");
  CHECK(json::intAt(report, {"pending"}) == 1);
  const auto& difference = report.at("differences").as_array().at(0);
  CHECK(json::textAt(difference, {"outcome"}) == "not_done");
  CHECK(json::textAt(difference, {"controller"}) == "host");
  CHECK(json::textAt(difference, {"object", "name"}) == "a");
  const auto& field = difference.at("fields").as_array().at(0);
  CHECK(json::textAt(field, {"path"}) == "spec.online");
  CHECK(json::textAt(field, {"was"}) == "true");
  CHECK(json::find(field, {"ours"}) == nullptr);  // false says as much as nothing
  CHECK(json::textAt(report.at("counts").as_array().at(0), {"outcome"}) == "not_done");
}

TEST_CASE("who is no shadow has no report", "[shadow]") {
  Telling site;
  Handler page([](net::ServerRequest, net::Responder& out) { return out.send({.status = 200, .body = "metrics"}); });
  Guard guard(Pages{.metrics = page}, nullptr);
  CHECK(site.asked(guard, "/shadow/report").status == 404);
  CHECK(site.asked(guard, "/metrics").body == "metrics");
}

TEST_CASE("metrics say how many decisions wait and what became of them", "[shadow]") {
  Telling site;
  site.want("a");
  CHECK(site.metrics.expose().find("ingot_shadow_pending 1") != std::string::npos);
  site.clock.advance(12s);
  CHECK(site.metrics.expose().find(R"(ingot_shadow_decisions_total{controller="host",outcome="not_done"} 1)") !=
        std::string::npos);
}

TEST_CASE("a difference is a line in the log, sixty a minute at most", "[shadow]") {
  Telling site;
  for (int i = 0; i < 100; ++i) site.want(fmt::format("h{}", i));
  site.clock.advance(12s);
  CHECK(site.shadow->book().differences().size() == 100);
  CHECK(site.lines("Metal3 decided otherwise") == 60);
  site.clock.advance(1min);
  site.want("later");
  site.clock.advance(12s);
  CHECK(site.lines("Metal3 decided otherwise") == 61);
  CHECK(site.lines("more differences than are logged") == 1);
}

TEST_CASE("who may look at the report by the network, and who may not", "[shadow]") {
  Telling site;
  Guard guard(Pages{.metrics = *site.shadow, .shadow = site.shadow.get()}, nullptr);
  CHECK(site.asked(guard, "/shadow/report?x=y").status == 200);
  CHECK(site.asked(guard, "/shadow/report/").status == 404);
  CHECK(site.asked(guard, "/shadow").status == 404);
}

TEST_CASE("the user information of a URL is in no line and in no report, nor is a long reason", "[shadow]") {
  Telling site;
  site.run(site.client->send({.method = "PATCH",
                              .target = std::string(kHost) + "a",
                              .body = R"({"spec":{"image":{"url":"http://u:planted@h/i"}}})"}));
  site.run(site.client->send({.method = "PATCH",
                              .target = std::string(kHost) + "a/status",
                              .body = R"({"status":{"provisioning":{"image":{"url":"http://u:planted@h/j"}},
                                          "errorMessage":"cannot read http://u:planted@h/i: )" +
                                      std::string(5000, 'x') + R"("}})"}));
  site.clock.advance(12s);
  const std::string report = json::serialize(site.report());
  CHECK(report.find("http://***@h/i") != std::string::npos);
  CHECK(report.find("http://***@h/j") != std::string::npos);
  CHECK(report.find("planted") == std::string::npos);
  CHECK(report.size() < 3000);
  CHECK(site.lines("Metal3 decided otherwise") > 0);
  CHECK(site.lines("planted") == 0);
}

TEST_CASE("no password of a URL, whatever is in it, and no query is in a line or in a report", "[shadow]") {
  Telling site;
  constexpr std::string_view odd = "^|{}<>\\\"'`#?/@:!$&*()[],;%~";
  for (std::size_t i = 0; i < odd.size(); ++i) {
    const std::string host = fmt::format("h{}", i);
    const std::string url = std::string("https://reader:plant") + odd[i] + "planted@images/a.qcow2?sig=planted";
    const json::Value spec = json::Object{{"spec", json::Object{{"image", json::Object{{"url", url}}}}}};
    const json::Value status =
        json::Object{{"status", json::Object{{"poweredOn", true},
                                             {"errorMessage", "Get \"" + url + "\": no, nor " + url + " then"}}}};
    site.run(site.client->send({.method = "PATCH", .target = kHost + host, .body = json::serialize(spec)}));
    site.run(
        site.client->send({.method = "PATCH", .target = kHost + host + "/status", .body = json::serialize(status)}));
  }
  site.run(site.client->send({.method = "PATCH",
                              .target = std::string(kHost) + "bmc",
                              .body = R"({"spec":{"bmc":{"address":"root:planted@10.0.0.1"}}})"}));
  site.clock.advance(12s);
  CHECK(site.shadow->book().differences().size() == odd.size() + 1);
  const std::string report = json::serialize(site.report());
  CHECK(report.find("https://***@images/a.qcow2?***") != std::string::npos);
  CHECK(report.find(R"(***@10.0.0.1)") != std::string::npos);
  CHECK(report.find("plant") == std::string::npos);
  CHECK(site.lines("Metal3 decided otherwise") == odd.size() + 1);
  CHECK(site.lines("plant") == 0);
}

TEST_CASE("a report says who was taken for somebody else", "[shadow]") {
  Telling site;
  Book book(site.clock, "salt", {});
  const auto host = [](const char* version, const char* image) {
    return json::parse(fmt::format(
        R"({{"kind":"BareMetalHost","metadata":{{"resourceVersion":"{}","managedFields":[{{"manager":"renamed",
            "time":"2026-11-22T04:23:18Z","fieldsV1":{{"f:spec":{{}}}}}}]}},"spec":{{"image":"{}"}}}})",
        version, image));
  };
  const ObjectId id{"", "baremetalhosts.metal3.io", {"metal", "a"}};
  book.seen(id, host("1", "a"), Book::Sight::listed);
  book.seen(id, host("2", "b"), Book::Sight::watched);
  const json::Value report = reportOf(book, {}, {});
  REQUIRE(report.at("otherManagers").as_array().size() == 1);
  CHECK(json::textAt(report.at("otherManagers").as_array().at(0), {"manager"}) == "renamed");
  CHECK(json::intAt(report.at("otherManagers").as_array().at(0), {"count"}) == 1);
}

TEST_CASE("a long value is cut", "[shadow]") {
  Difference difference{.object = {"", "baremetalhosts.metal3.io", {"metal", "a"}},
                        .fields = {{"spec.x", std::nullopt, std::string(1000, 'x'), std::nullopt}}};
  CHECK(json::textAt(json::Value(documentOf(difference)).at("fields").as_array().at(0), {"theirs"}).size() == 200);
}

}  // namespace
}  // namespace ingot::tests
