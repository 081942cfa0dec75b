// What a host takes along in a move beside its status: the term that its agents obey (spec/capm3.md §12,
// docs/decisions/0034).
#include "tests/coordinator/host_move/site.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {

using Catch::Matchers::Contains;

TEST_CASE("§12 a host carries what its agents obey, and may not be moved before", "[move]") {
  const std::string term(api::label::term);
  const std::string state = GENERATE("available", "");
  const api::TermSeal seal(base::Secret("of the coordinator"));
  const auto carried = api::CarriedTerm::of(7, "3f2a9c1e-0000");
  const std::string ours = seal.label(carried, {"metal", "a"});
  MoveSite site(MoveSite::Starts::now, api::Carrying(carried, seal));
  site.addCluster("edge");
  site.addHost("a", state);
  const bool isPausedByHand = GENERATE(false, true);
  if (isPausedByHand) site.annotate("a", kPaused, "by hand");
  const auto labels = [&] { return site.find<BareMetalHost>("a")->metadata.labels; };
  CHECK(labels().empty());
  std::vector<std::string> patches;
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (request.method == "PATCH") patches.push_back(request.body);
    co_return;
  };
  site.pause("edge");
  CHECK(labels()[term] == ours);
  CHECK_FALSE(site.blocks("a"));
  REQUIRE(patches.size() == 2);
  CHECK_THAT(patches[0], Contains(R"("ingot.dev/term":")" + ours) && !Contains("block-move"));
  CHECK_THAT(patches[1], !Contains("ingot.dev/term"));
  SECTION("one that somebody takes, or forges, is put back before the host may go") {
    const bool isForged = GENERATE(false, true);
    site.patch<BareMetalHost>("a", isForged ? R"({"metadata":{"labels":{"ingot.dev/term":"9.3f2a9c1e.00"}}})"
                                            : R"({"metadata":{"labels":{"ingot.dev/term":null}}})");
    site.settle();
    CHECK(labels()[term] == ours);
    CHECK_FALSE(site.blocks("a"));
  }
  site.pause("edge", false);
  CHECK(labels().empty());
  CHECK(site.blocks("a"));
}

TEST_CASE("§12 a host that is to be restarted is not moved: it would be restarted twice", "[move]") {
  MoveSite site;
  site.addCluster("edge");
  site.addHost("a", "available");
  site.annotate("a", "reboot.metal3.io", "");
  site.pause("edge");
  CHECK(site.blocks("a"));
  site.patch<BareMetalHost>("a", R"({"metadata":{"annotations":{"reboot.metal3.io":null}}})");
  site.settle();
  CHECK_FALSE(site.blocks("a"));
}

TEST_CASE("§12 where it has arrived a host keeps the term of where it comes from until ours is above it", "[move]") {
  const std::string term(api::label::term);
  const bool isAbove = GENERATE(false, true);
  const api::TermSeal seal(base::Secret("of the coordinator"));
  const auto ours = api::CarriedTerm::of(isAbove ? 3000 : 3, "3f2a9c1e-0000");
  const std::string theirs = seal.label(api::CarriedTerm::of(7, "77aa88bb-0000"), {"metal", "a"});
  MoveSite site(MoveSite::Starts::now, api::Carrying(ours, seal));
  BareMetalHost host;
  host.metadata = {.name = "a", .namespace_ = "metal"};
  host.metadata.annotations = {{kPaused, "ingot.dev/move"}, {kStatus, R"({"provisioning":{"state":"available"}})"}};
  host.metadata.labels = {{term, theirs}};
  site.create(host);
  site.addCluster("edge", true);
  const auto labels = [&] { return site.find<BareMetalHost>("a")->metadata.labels; };
  CHECK(labels()[term] == (isAbove ? seal.label(ours, {"metal", "a"}) : theirs));
  CHECK_THAT(site.value("a", kStatus), Contains("available"));
  CHECK_FALSE(site.blocks("a"));
  site.pause("edge", false);
  CHECK(labels().contains(term) == !isAbove);
  CHECK_FALSE(site.isPaused("a"));
}

TEST_CASE("§12 a host that goes on carries the term of where it was, beside what cannot be opened there", "[move]") {
  const std::string term(api::label::term), earlier(api::label::earlierTerm);
  const api::TermSeal seal(base::Secret("of the coordinator"));
  const auto carried = api::CarriedTerm::of(3, "3f2a9c1e-0000");
  const std::string foreign = "7.77aa88bb.of-another-key";
  MoveSite site(MoveSite::Starts::now, api::Carrying(carried, seal));
  site.addCluster("edge");
  site.addHost("a", "available");
  site.patch<BareMetalHost>("a", R"({"metadata":{"labels":{"ingot.dev/term":")" + foreign + R"("}}})");
  site.settle();
  const auto labels = [&] { return site.find<BareMetalHost>("a")->metadata.labels; };
  CHECK(labels()[term] == foreign);  // while it works the key may still follow
  site.pause("edge");
  CHECK(labels()[term] == seal.label(carried, {"metal", "a"}));
  CHECK(labels()[earlier] == foreign);
  CHECK_FALSE(site.blocks("a"));
  site.pause("edge", false);
  CHECK(labels() == std::map<std::string, std::string>{{term, foreign}});
}

TEST_CASE("§12 a host whose agents obey another process may not be moved: nobody here can say by which term",
          "[move]") {
  bool isElsewhere = true;
  MoveSite site(MoveSite::Starts::now, api::Carrying([&isElsewhere] { return isElsewhere; }));
  site.addCluster("edge");
  site.addHost("a", "available");
  site.pause("edge");
  CHECK(site.isPaused("a"));
  CHECK(site.blocks("a"));
  CHECK(site.find<BareMetalHost>("a")->metadata.labels.empty());
  const auto version = site.find<BareMetalHost>("a")->metadata.resourceVersion;
  site.settle();
  CHECK(site.find<BareMetalHost>("a")->metadata.resourceVersion == version);
  SECTION("it works again with its Cluster") {
    site.pause("edge", false);
    CHECK_FALSE(site.isPaused("a"));
  }
  SECTION("it goes once there are no agents") {
    isElsewhere = false;
    site.pause("edge", false);
    site.pause("edge");
    CHECK_FALSE(site.blocks("a"));
  }
}

}  // namespace ingot::tests
