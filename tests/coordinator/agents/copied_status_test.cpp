// A tenant copies the status of another host, with the ID of that one's node, into a host of its own.
#include "tests/coordinator/agents/resting_host.hpp"

#include "json/describe.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

bool saw(Site& site, const std::string& reason, const std::string& message) {
  return std::ranges::any_of(site.events("metal"), [&](const auto& event) {
    return event.reason == reason && event.message.find(message) != std::string::npos;
  });
}

// Host "a" is on. Host "b" carries a copy of the status of "a"; its Secret holds `password`.
void copiedHost(Site& site, const std::string& password, const std::string& bootMac = "",
                const std::string& address = "10.0.0.2") {
  restingHost(site);
  site.setOnline("a", true);
  REQUIRE(site.until([&] { return site.settled("a") && site.host("a")->status.poweredOn; }));
  site.pass(30s);
  const std::string status = json::serialize(json::encode(site.host("a")->status));
  site.killCoordinator();
  site.addHost("b", address, false, password, bootMac);
  const json::Object annotations{{"baremetalhost.metal3.io/status", status}};
  site.patchHost("b", json::serialize(json::Object{{"metadata", json::Object{{"annotations", annotations}}}}));
  site.startCoordinator();
  REQUIRE(site.until([&] { return site.state("b") == "available"; }));
  REQUIRE(site.host("b")->status.provisioning.ID == site.host("a")->status.provisioning.ID);
}

void checkUntouched(Site& site, std::size_t since) {
  CHECK(site.ironic.has("metal~a"));
  CHECK(site.bmc("10.0.0.1").powerState == "On");
  const auto& journal = site.ironic.journal();
  for (std::size_t i = since; i < journal.size(); ++i) {
    CAPTURE(journal[i].method, journal[i].path);
    CHECK(journal[i].path.find(site.host("a")->status.provisioning.ID) == std::string::npos);
  }
}

}  // namespace

TEST_CASE("a deleted host with a copied status and no usable Secret does nothing to the node of another") {
  Site site;
  copiedHost(site, "");
  const std::size_t since = site.ironic.journal().size();
  site.removeHost("b");
  CHECK(site.until([&] { return saw(site, "NodeLeftAlone", "belongs to host metal/a, not to metal/b"); }));
  CHECK(saw(site, "PowerOffSkipped", "belongs to host metal/a, not to metal/b"));
  checkUntouched(site, since);
}

TEST_CASE("a host with a copied status is told whose node it names, and changes nothing of it") {
  Site site;
  copiedHost(site, "s3cret");
  const std::size_t since = site.ironic.journal().size();
  CHECK(site.until([&] { return site.host("b")->status.errorType == "registration error"; }));
  CHECK_THAT(site.host("b")->status.errorMessage, Catch::Contains("belongs to host metal/a, not to metal/b"));
  site.pass(5min);
  checkUntouched(site, since);
  site.removeHost("b");
  CHECK(site.until([&] { return saw(site, "NodeLeftAlone", "belongs to host metal/a"); }, 30min));
  checkUntouched(site, since);
}

TEST_CASE("a host that was restored beside the one it is a copy of is deleted without switching that one off") {
  Site site;
  const std::string password = GENERATE("", "s3cret");
  const bool lost = GENERATE(false, true);
  CAPTURE(password, lost);
  copiedHost(site, password, "52:54:00:00:00:01", "10.0.0.1");
  site.serveAll("rack");
  site.pass(5min);
  if (lost) {
    site.killCoordinator();
    site.ironic.loseDatabase();
    site.ironic.failNext("POST", "/nodes", {.status = 500});  // to "a", which is then the last to ask for a new node
    site.startCoordinator();
    site.pass(5min);
    CHECK_FALSE(site.ironic.has("metal~b"));
  }
  const int before = site.resets("10.0.0.1");
  site.removeHost("b");
  CHECK(site.until([&] { return site.state("b") == "deleting"; }, 30min));
  CHECK(saw(site, "PowerOffSkipped", ""));
  site.pass(1min);
  CHECK(site.bmc("10.0.0.1").powerState == "On");
  CHECK(site.resets("10.0.0.1") == before);
}

TEST_CASE("of two hosts that name one machine only the older one registers, the other as soon as it is alone") {
  const auto [address, mac] =
      GENERATE(std::pair{"10.0.0.1", "52:54:00:00:00:99"}, std::pair{"10.0.0.2", "52:54:00:00:00:01"});
  Site site;
  site.serveAll("near");
  site.addHost("z", "10.0.0.1", false);
  site.pass(2s);
  site.addHost("b", address, false, "s3cret", mac);
  REQUIRE(site.until([&] { return site.host("b")->status.errorType == "registration error"; }));
  CHECK_THAT(site.host("b")->status.errorMessage, Catch::Contains("metal/z") || Catch::Contains("metal~z"));
  REQUIRE(site.until([&] { return site.settled("z"); }));
  site.pass(30min);
  CHECK(site.state("b") == "registering");
  CHECK_FALSE(site.ironic.has("metal~b"));
  site.removeHost("z");
  REQUIRE(site.until([&] { return !site.ironic.has("metal~z"); }, 1min));
  CHECK(site.until([&] { return site.settled("b"); }, 1min));
}

TEST_CASE("a machine whose node is just being made is no other host's, older as that one may be") {
  Site site;
  site.serveAll("near");
  site.addHost("b", "10.0.0.2", false, "");
  REQUIRE(site.until([&] { return site.host("b")->status.operationalStatus == "error"; }));
  site.pass(5s);
  site.ironic.failNext("POST", "/nodes", {.kind = FakeFault::Kind::hang, .delay = 1min});
  site.addHost("z", "10.0.0.1", false);
  REQUIRE(site.until([&] { return site.state("z") == "registering"; }));
  site.pass(5s);
  const std::string address = site.host("z")->spec.bmc.address;
  site.patchHost("b", R"({"spec":{"bmc":{"address":")" + address + R"("}}})");
  site.setPassword("b", "s3cret");
  site.pass(30s);
  CHECK_FALSE(site.ironic.has("metal~b"));
  REQUIRE(site.until([&] { return site.settled("z"); }));
  site.pass(30min);
  CHECK_FALSE(site.ironic.has("metal~b"));
  CHECK_THAT(site.host("b")->status.errorMessage, Catch::Contains("metal/z names the same machine"));
}

TEST_CASE("no new host gets a node while one cannot be read that may be its machine's") {
  Site site;
  site.serveAll("near");
  site.killCoordinator();
  site.unreadable.add("baremetalhosts.metal3.io", {"metal", "x"});
  site.startCoordinator();
  site.addHost("z", "10.0.0.1", false);
  REQUIRE(site.until([&] { return site.host("z")->status.errorType == "registration error"; }));
  CHECK_THAT(site.host("z")->status.errorMessage, Catch::Contains("the BareMetalHost metal/x"));
  site.pass(10min);
  CHECK_FALSE(site.ironic.has("metal~z"));
}

TEST_CASE("a host of a machine whose other host was detached gets a node") {
  Site site;
  restingHost(site);
  site.patchHost("a", R"({"metadata":{"annotations":{"baremetalhost.metal3.io/detached":""}}})");
  REQUIRE(site.until([&] { return site.host("a")->status.operationalStatus == "detached"; }));
  REQUIRE(site.until([&] { return !site.ironic.has("metal~a"); }));
  site.addHost("b", "10.0.0.1", false);
  CHECK(site.until([&] { return site.settled("b"); }));
}

TEST_CASE("the owner of a node that does not bear its name yet is not shut out by a copied status") {
  Site site;
  copiedHost(site, "s3cret", GENERATE("", "52:54:00:00:00:01"));  // … or that of "a"
  const std::string id = site.host("a")->status.provisioning.ID;
  site.killCoordinator();
  site.ironic.record(id)["name"] = GENERATE(json::Value("a"), json::Value());
  site.startCoordinator();
  CHECK(site.until([&] { return site.ironic.has("metal~a"); }));
  CHECK(site.until([&] { return site.host("b")->status.errorType == "registration error"; }));
  site.pass(5min);
  CHECK(site.host("a")->status.errorMessage.empty());
  CHECK(site.settled("a"));
  CHECK(site.bmc("10.0.0.1").powerState == "On");
}

namespace {

// Host "a" has a node without a name, and the API server holds a host "x" that it cannot read. Returns how many
// requests Ironic has had by then.
std::size_t hostWithUntoldNode(Site& site) {
  restingHost(site);
  const std::string id = site.host("a")->status.provisioning.ID;
  site.killCoordinator();
  site.ironic.record(id)["name"] = nullptr;
  site.unreadable.add("baremetalhosts.metal3.io", {"metal", "x"});
  const std::size_t since = site.ironic.journal().size();
  site.startCoordinator();
  REQUIRE(site.until([&] {
    return site.host("a")->status.errorMessage.find("while the BareMetalHost metal/x cannot be read") !=
           std::string::npos;
  }));
  return since;
}

void makeItAnew(Site& site) { site.addHost("x", "10.0.0.9", false); }

}  // namespace

TEST_CASE("a node that bears no host's name is left alone while there is a host that cannot be read") {
  Site site;
  const std::size_t since = hostWithUntoldNode(site);
  site.pass(10min);
  CHECK(site.ironic.journal().size() == since);
  makeItAnew(site);
  CHECK(site.until([&] { return site.ironic.has("metal~a") && site.settled("a"); }, 15min));
}

TEST_CASE("a host is not detached from a node that may be its own, as long as nobody can tell") {
  Site site;
  const std::size_t since = hostWithUntoldNode(site);
  const std::string id = site.host("a")->status.provisioning.ID;
  site.patchHost("a", R"({"metadata":{"annotations":{"baremetalhost.metal3.io/detached":""}}})");
  site.pass(15min);
  CHECK(site.host("a")->status.operationalStatus != "detached");
  CHECK_FALSE(saw(site, "NodeLeftAlone", ""));
  CHECK(site.ironic.journal().size() == since);
  makeItAnew(site);
  CHECK(site.until([&] { return site.host("a")->status.operationalStatus == "detached"; }, 15min));
  CHECK_FALSE(site.ironic.has(id));
}

TEST_CASE("a deletion waits some minutes for it to be known whose the node is, and says that it was left") {
  Site site;
  const std::size_t since = hostWithUntoldNode(site);
  const std::string id = site.host("a")->status.provisioning.ID;
  site.removeHost("a");
  REQUIRE(site.until([&] { return site.state("a") == "deleting"; }, 30min));
  CHECK(site.ironic.has(id));
  SECTION("it is never known") {
    CHECK(site.until([&] { return saw(site, "NodeNotRemoved", "while the BareMetalHost metal/x cannot be read"); },
                     10min));
    CHECK_FALSE(saw(site, "NodeLeftAlone", ""));
    CHECK(site.ironic.journal().size() == since);
    CHECK(site.ironic.has(id));
  }
  SECTION("it is known in time") {
    makeItAnew(site);
    CHECK(site.until([&] { return !site.ironic.has(id); }, 1min));
    CHECK_FALSE(saw(site, "NodeNotRemoved", ""));
  }
}
