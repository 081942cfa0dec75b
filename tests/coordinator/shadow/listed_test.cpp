// What a shadow learns of lists and watches that pass.
#include "tests/coordinator/shadow/fenced_api.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using namespace coordinator::shadow;

// A list in as many parts as the test likes.
struct Listed : shadowed::FencedApi {
  static std::string part(const std::string& version, const std::vector<std::string>& hosts,
                          const std::string& next = "") {
    json::Array items;
    for (const auto& host : hosts)
      items.push_back(
          json::parse(fmt::format(R"({{"metadata":{{"namespace":"n","name":"{}","resourceVersion":"1"}}}})", host)));
    return json::serialize(json::Object{{"kind", "BareMetalHostList"},
                                        {"metadata", json::Object{{"resourceVersion", version}, {"continue", next}}},
                                        {"items", std::move(items)}});
  }
};

TEST_CASE("what a whole list lacks has gone, and what a part of one lacks has not", "[shadow]") {
  constexpr const char* kAll = "/apis/metal3.io/v1alpha1/baremetalhosts?limit=2";
  Listed site;
  site.list(kAll, Listed::part("5", {"a", "b", "c"}));
  REQUIRE(site.book.known() == 3);
  SECTION("in two parts") {
    site.list(kAll, Listed::part("9", {"a"}, "more"));
    CHECK(site.book.known() == 3);
    site.list("/apis/metal3.io/v1alpha1/baremetalhosts?limit=2&continue=more", Listed::part("9", {"c"}));
    CHECK(site.book.known() == 2);
  }
  SECTION("of those with a label") {
    site.list("/apis/metal3.io/v1alpha1/baremetalhosts?labelSelector=x", Listed::part("9", {}));
    CHECK(site.book.known() == 3);
  }
  SECTION("of another namespace") {
    site.list("/apis/metal3.io/v1alpha1/namespaces/m/baremetalhosts", Listed::part("9", {}));
    CHECK(site.book.known() == 3);
  }
  SECTION("of theirs") {
    site.list("/apis/metal3.io/v1alpha1/namespaces/n/baremetalhosts", Listed::part("9", {"b"}));
    CHECK(site.book.known() == 1);
  }
}

TEST_CASE("where versions began anew, as in a restored cluster, a shadow does so, too", "[shadow]") {
  constexpr const char* kAll = "/apis/metal3.io/v1alpha1/baremetalhosts";
  const auto host = [](const char* version, const char* image) {
    return json::parse(fmt::format(
        R"({{"metadata":{{"namespace":"n","name":"a","resourceVersion":"{}","managedFields":[{{"manager":"bmo",
            "time":"2026-11-22T04:23:18Z","fieldsV1":{{"f:spec":{{}}}}}}]}},"spec":{{"image":"{}"}}}})",
        version, image));
  };
  const auto list = [&](const char* version, json::Value item) {
    return json::serialize(json::Object{{"metadata", json::Object{{"resourceVersion", version}}},
                                        {"items", json::Array{std::move(item)}}});
  };
  Listed site;
  const ObjectId id{"", "baremetalhosts.metal3.io", {"n", "a"}};
  site.list(kAll, list("5000", host("4000", "a")));
  site.clock.advance(10s);
  SECTION("a list that is older than what was known") {
    site.list(kAll, list("100", host("90", "b")));
    CHECK(site.book.begunAnew() == 1);
    CHECK(site.book.counts().empty());  // nobody wrote that
    site.clock.advance(10s);
    site.book.seen(id, host("101", "c"), Book::Sight::watched);
    REQUIRE(site.book.differences().size() == 1);
    CHECK(site.book.differences().front().fields.front().was == R"("b")");
  }
  SECTION("an object that is older, in a list that is not: restored with a raised revision") {
    site.list(kAll, list("1000000", host("3000", "b")));
    CHECK(site.book.begunAnew() == 1);
    CHECK(site.book.counts().empty());
    site.clock.advance(10s);
    site.book.seen(id, host("1000001", "c"), Book::Sight::watched);
    REQUIRE(site.book.differences().size() == 1);
    CHECK(site.book.differences().front().fields.front().was == R"("b")");
  }
  SECTION("but not an object that a watch has told of since that list was made") {
    site.book.seen(id, host("5002", "b"), Book::Sight::watched);
    const auto counts = site.book.counts();
    site.book.seen(id, host("4000", "a"), Book::Sight::listed, "5001");
    CHECK(site.book.find(id, "5002").has_value());
    CHECK(site.book.counts() == counts);
  }
  SECTION("but not one that was under way while a watch told more") {
    const std::string newest = site.book.newestOf(id);
    site.book.seen(id, host("5002", "b"), Book::Sight::watched);
    site.book.listing(id, "5001", newest);
    CHECK(site.book.begunAnew() == 0);
    CHECK(site.book.known() == 1);
  }
}

// A watch of Secrets with these words in its URL.
std::string secrets(const std::string& query) { return "/api/v1/secrets?" + query; }

TEST_CASE("an object that leaves what is selected was not deleted, and one that comes back not made", "[shadow]") {
  const auto secret = [](const char* version) {
    return json::parse(fmt::format(
        R"({{"kind":"Secret","metadata":{{"namespace":"n","name":"bmc","resourceVersion":"{}","ownerReferences":[
            {{"kind":"BareMetalHost","name":"h"}}],"managedFields":[{{"manager":"bmo","time":"2026-11-22T04:23:18Z",
            "fieldsV1":{{"f:metadata":{{}}}}}}]}}}})",
        version));
  };
  constexpr const char* kSelected = "labelSelector=environment.metal3.io%3Dbaremetal&watch=true";
  Listed site;
  site.list("/apis/metal3.io/v1alpha1/baremetalhosts", Listed::part("5", {"h"}));
  site.watch(secrets(kSelected), "ADDED", secret("2"));
  site.clock.advance(10s);
  SECTION("with a selector") {
    site.watch(secrets(kSelected), "DELETED", secret("3"));
    CHECK(site.book.known() == 1);
    site.clock.advance(10s);
    SECTION("and comes back") { site.watch(secrets(kSelected), "ADDED", secret("4")); }
    SECTION("of which something was decided") {
      site.book.decided({.controller = "host",
                         .verb = "update",
                         .object = {"", "secrets", {"n", "bmc"}},
                         .kind = "Secret",
                         .version = "3",
                         .fields = {{"metadata.labels[a]", std::nullopt, "1"}},
                         .reason = ""});
      site.watch(secrets("watch=true"), "ADDED", secret("4"));
      CHECK(site.book.pending() == 1);
    }
    CHECK(site.book.differences().empty());
    CHECK(site.book.counts().empty());
  }
  SECTION("with none it was deleted") {
    site.watch(secrets("watch=true"), "DELETED", secret("3"));
    REQUIRE(site.book.differences().size() == 1);
    CHECK(site.book.differences().front().reason == "deleted");
  }
}

}  // namespace
}  // namespace ingot::tests
