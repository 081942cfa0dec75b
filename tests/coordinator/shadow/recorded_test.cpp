// Recorded documents of Metal3, with their managed fields, as lists and watches tell them through the fence.
#include "base/file.hpp"
#include "tests/coordinator/shadow/fenced_api.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include <sstream>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using namespace coordinator::shadow;

constexpr const char* kRecordedHosts = "/apis/metal3.io/v1alpha1/baremetalhosts";

// Hosts in the first state, and each of them in the second, as Metal3 and users left them.
struct Recorded : shadowed::FencedApi {
  Recorded() {
    json::Array items;
    for (auto& host : hostsOf("1-provisioned.jsonl")) items.push_back(std::move(host));
    list(kRecordedHosts, json::serialize(json::Object{{"kind", "BareMetalHostList"},
                                                      {"metadata", json::Object{{"resourceVersion", "1000000"}}},
                                                      {"items", std::move(items)}}));
    clock.advance(10s);
  }

  static std::vector<json::Value> hostsOf(const std::string& file) {
    std::vector<json::Value> hosts;
    std::istringstream lines(base::readFile(INGOT_SOURCE_DIR "/tests/data/takeover/" + file));
    for (std::string line; std::getline(lines, line);)
      if (json::Value object = json::parse(line); json::textAt(object, {"kind"}) == "BareMetalHost")
        hosts.push_back(std::move(object));
    return hosts;
  }
  static json::Value hostOf(const std::string& file, const std::string& name) {
    for (auto& host : hostsOf(file))
      if (json::textAt(host, {"metadata", "name"}) == name) return host;
    throw std::runtime_error("no such host: " + name);
  }
  // A watch tells it.
  void watched(json::Value object, const std::string& version) {
    object.at("metadata").as_object()["resourceVersion"] = version;
    watch(std::string(kRecordedHosts) + "?watch=true", "MODIFIED", std::move(object));
  }
  std::uint64_t count(Outcome outcome) const {
    std::uint64_t sum = 0;
    for (const auto& [what, times] : book.counts())
      if (what.second == outcome) sum += times;
    return sum;
  }
};

TEST_CASE("what the recorded operator writes in a host's status is not foreseen where nothing was decided",
          "[shadow]") {
  Recorded site;
  json::Value host = Recorded::hostOf("1-provisioned.jsonl", "host-0");
  host.at("status").as_object()["poweredOn"] = !json::boolAt(host, {"status", "poweredOn"}).value_or(false);
  site.watched(host, "2000000");
  CHECK(site.count(Outcome::notForeseen) == 1);
  REQUIRE(site.book.differences().size() == 1);
  CHECK(site.book.differences().front().manager == "bmo");
  CHECK(site.book.differences().front().fields.front().path == "status.poweredOn");
}

TEST_CASE("what a user wrote in a recorded host is nobody's, and he is named", "[shadow]") {
  Recorded site;
  json::Value host = Recorded::hostOf("2-other-states.jsonl", "host-0");
  for (auto& entry : host.at("metadata").at("managedFields").as_array())
    if (json::textAt(entry, {"manager"}) == "unknown") entry.as_object()["manager"] = "site-tool";
  host.at("spec").as_object()["automatedCleaningMode"] = "disabled";
  site.watched(host, "2000000");
  for (const auto& difference : site.book.differences())
    for (const auto& field : difference.fields) CHECK(field.path != "spec.automatedCleaningMode");
  CHECK(site.book.others().contains("site-tool"));
}

TEST_CASE("against a decision the recorded provider's write is a difference with its name", "[shadow]") {
  Recorded site;
  json::Value host = Recorded::hostOf("1-provisioned.jsonl", "host-0");
  site.book.decided(
      {.controller = "metal3machine",
       .verb = "update",
       .object = {"", "baremetalhosts.metal3.io", {json::textAt(host, {"metadata", "namespace"}), "host-0"}},
       .kind = "BareMetalHost",
       .version = json::textAt(host, {"metadata", "resourceVersion"}),
       .fields = {{"spec.image.url", std::nullopt, R"("http://ours")"}},
       .reason = "because"});
  host.at("spec").at("image").as_object()["url"] = "http://theirs";
  site.watched(host, "2000000");
  CHECK(site.count(Outcome::differs) == 1);
  CHECK(site.count(Outcome::notForeseen) == 0);
  REQUIRE(site.book.differences().size() == 1);
  CHECK(site.book.differences().front().manager == "cluster-api-provider-metal3-manager");
}

}  // namespace
}  // namespace ingot::tests
