// Beside Ironic: the disks of a host that is given back are erased by the agent where its annotation says so, and
// Ironic does not clean then (docs/decisions/0022).
#include "kube/core/config_map.hpp"
#include "tests/bmc/fake_drives.hpp"
#include "tests/coordinator/agents/one_host.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

constexpr auto address = "10.0.0.1";
constexpr auto imagePatch =
    R"({"spec":{"online":true,"image":{"url":"http://images/disk.raw","checksum":"5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8","checksumType":"sha256","format":"raw"}}})";

struct Shared : OneHost {
  explicit Shared(const std::string& depth = "crypto") : drives((addBmc(address).hasMedia = true, bmc(address))) {
    drives.add("A"), drives.add("B");
    serveAll("near");
    addHost("a", address, false);
    patchHost("a",
              fmt::format(R"({{"metadata":{{"annotations":{{"inspect.metal3.io":null,{}}}}},)"
                          R"("spec":{{"inspectionMode":"fast","automatedCleaningMode":"metadata"}}}})",
                          depth.empty() ? R"("x":"y")" : fmt::format(R"("ingot.dev/cleaning-depth":"{}")", depth)));
  }
  void occupy() {
    REQUIRE(becomes("available"));
    patchHost("a", imagePatch);
    REQUIRE(becomes("provisioned"));
    REQUIRE(until([this] { return host("a")->status.poweredOn; }));
    pass(10s);
    machine().journal.clear();
    ironic.clearJournal();
  }
  bool isErasing() {
    return until([this] { return drives.isErasing(); }, 10min);
  }
  json::Object& node() { return ironic.record("metal~a"); }
  bool isLent() { return json::boolAt(node(), {"maintenance"}) == true; }
  bool ironicCleans() { return json::boolAt(node(), {"automated_clean"}) == true; }
  void setMaintenance(const std::string& reason) {  // as an operator does; "": ends it
    node()["maintenance"] = !reason.empty();
    node()["maintenance_reason"] = reason.empty() ? json::Value() : json::Value(reason);
  }
  bool isClean() { return drives.areErasedOnce(); }

  FakeDrives drives;
};

}  // namespace

TEST_CASE("an agent erases the disks in place of Ironic's cleaning, while Ironic leaves the machine alone") {
  Shared site;
  site.occupy();
  std::vector<bool> lent;
  site.drives.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.method == "POST" && request.target.find("erase") != std::string::npos) lent.push_back(site.isLent());
    return std::nullopt;
  };
  std::size_t powerRequests = 0;
  bool isAtIt = false, hasCleaned = false;
  const auto look = [&] {
    isAtIt = isAtIt || site.isLent();
    hasCleaned = hasCleaned || site.ironic.state("metal~a") == ironic::State::cleanWait;
    return site.state("a") == "available";
  };
  site.giveBack();
  REQUIRE(site.until(look));
  CHECK(isAtIt);
  CHECK_FALSE(hasCleaned);
  for (const auto& request : site.ironic.journal()) {  // but for a record that follows what an agent has proved
    const bool isPower = request.path.ends_with("/states/power");
    if (isPower) ++powerRequests;
  }
  CHECK(powerRequests == 2);
  CHECK(site.isClean());
  CHECK(lent == std::vector<bool>{true, true});
  CHECK_FALSE(site.isLent());
  CHECK(site.ironic.verbs() == std::vector<std::string>{"deleted"});
  CHECK(site.until([&] { return site.ironicCleans(); }, 1min));  // its next cleaning is Ironic's again
  CHECK(site.machine().powerState == "Off");
  CHECK(site.machine().bootEnabled == "Disabled");
  CHECK_FALSE(site.host("a")->status.poweredOn);
  CHECK(site.eventMessages("metal", "DeprovisioningComplete").size() == 1);
  CHECK(site.eventMessages("metal", "DisksErased").size() == 1);
  CHECK(site.loop.run(site.user().list<kube::ConfigMap>({.namespace_ = "metal"})).size() == 1);

  site.occupy();  // and the next time again
  site.giveBack();
  REQUIRE(site.becomes("available"));
  CHECK(site.drives.erasures() == 4);
}

TEST_CASE("Ironic's power sync does not end an erasure that takes long") {
  Shared site;
  site.occupy();
  site.drives.take(60);
  site.giveBack();
  REQUIRE(site.isErasing());
  SECTION("it leaves a node in maintenance alone") {}
  SECTION("it finds the power that it remembers, when somebody has ended the maintenance by hand") {
    site.setMaintenance("");
  }
  for (int minutes = 0; minutes < 10 && site.drives.isErasing(); ++minutes) site.pass(1min);
  REQUIRE(site.becomes("available", 90min));
  CHECK_FALSE(site.drives.lostPower);
  CHECK(site.isClean());
}

TEST_CASE("without the annotation, or without cleaning, all is Ironic's") {
  const bool isDisabled = GENERATE(false, true);
  Shared site(isDisabled ? "crypto" : "");
  if (isDisabled) site.patchHost("a", R"({"spec":{"automatedCleaningMode":"disabled"}})");
  site.occupy();
  site.giveBack();
  REQUIRE(site.becomes("available"));
  CHECK(site.drives.erasures() == 0);
  CHECK(site.ironicCleans() != isDisabled);
  CHECK(site.ironic.verbs() == std::vector<std::string>{"deleted"});
}

TEST_CASE("what cannot be erased is refused after the tear-down; Ironic cleans once the annotation is gone") {
  const bool isDisabled = GENERATE(true, false);
  Shared site;
  site.occupy();
  SECTION("its annotation says something else") {
    site.patchHost("a", R"({"metadata":{"annotations":{"ingot.dev/cleaning-depth":"shred"}}})");
    site.giveBack();
    CHECK(site.fails("ingot.dev/cleaning-depth"));
  }
  SECTION("a disk is there that inspection did not find") {
    site.drives.add("SERIAL-C");
    site.giveBack();
    CHECK(site.fails("SERIAL-C"));
  }
  CHECK(site.state("a") == "deprovisioning");
  CHECK(site.ironic.verbs() == std::vector<std::string>{"deleted"});
  CHECK(site.machine().powerState == "Off");
  CHECK_FALSE(site.ironicCleans());
  site.pass(10min);
  CHECK(site.state("a") == "deprovisioning");
  site.patchHost("a", isDisabled ? R"({"spec":{"automatedCleaningMode":"disabled"}})"
                                 : R"({"metadata":{"annotations":{"ingot.dev/cleaning-depth":null}}})");
  REQUIRE(site.becomes("available", 1h));
  CHECK_FALSE(site.isLent());
  CHECK(site.drives.erasures() == 0);
  CHECK((site.ironic.verbs() == std::vector<std::string>{"deleted"}) == isDisabled);
  if (!isDisabled) CHECK(site.ironic.verbs() == std::vector<std::string>{"deleted", "manage", "provide"});
}

TEST_CASE("an annotation that comes after a tear-down has failed is heeded: the erasure is owed") {
  Shared site("");
  site.occupy();
  site.ironic.breakNext("metal~a", ironic::Verb::undeploy, "the ramdisk is gone");
  site.giveBack();
  REQUIRE(site.fails("the ramdisk is gone"));
  site.patchHost("a", R"({"metadata":{"annotations":{"ingot.dev/cleaning-depth":"crypto"}}})");
  REQUIRE(site.becomes("available", 1h));
  CHECK(site.isClean());
}

TEST_CASE("a deployment that waits is taken back at once, and its disks are erased") {
  Shared site;
  REQUIRE(site.becomes("available"));
  site.patchHost("a", imagePatch);
  REQUIRE(site.until([&] { return site.ironic.state("metal~a") == ironic::State::deploying; }));
  site.ironic.stallRamdisk("metal~a");
  REQUIRE(site.until([&] { return site.ironic.state("metal~a") == ironic::State::deployWait; }));
  site.ironic.clearJournal();
  site.giveBack();
  REQUIRE(site.becomes("available", 15min));
  CHECK(site.isClean());
  CHECK(site.ironic.verbs() == std::vector<std::string>{"abort", "deleted"});
}

TEST_CASE("a deletion does not cut off an erasure of which nobody tells") {
  Shared site;
  site.occupy();
  site.drives.take(40);
  site.giveBack();
  REQUIRE(site.isErasing());
  site.killAgent("near");
  site.removeHost("a");
  site.pass(40min);
  CHECK(site.machine().powerState == "On");
  CHECK_FALSE(site.drives.lostPower);
  CHECK(site.fails("no agent serves this host"));
  site.startAgent("near");
  REQUIRE(site.goes(90min));
  CHECK(site.isClean());
  CHECK_FALSE(site.drives.lostPower);
}

TEST_CASE("a host that must not be off is not erased") {
  Shared site;
  site.occupy();
  site.patchHost("a", R"({"spec":{"disablePowerOff":true,"image":null}})");
  CHECK(site.fails("which disablePowerOff forbids"));
  CHECK(site.drives.erasures() == 0);
  site.patchHost("a", R"({"spec":{"disablePowerOff":false}})");
  REQUIRE(site.becomes("available", 1h));
  CHECK(site.isClean());
}

TEST_CASE("a host that could not be erased is given to nobody to begin with") {
  Shared site("shred");
  CHECK(site.fails("ingot.dev/cleaning-depth"));
  CHECK(site.host("a")->status.errorType == "preparation error");
  site.patchHost("a", R"({"metadata":{"annotations":{"ingot.dev/cleaning-depth":"crypto"}}})");
  CHECK(site.becomes("available"));
}

TEST_CASE("an annotation that is taken away does not give the host back uncleaned: Ironic cleans after all") {
  Shared site;
  site.occupy();
  site.drives.take(30);
  site.giveBack();
  SECTION("before Ironic has torn the host down") {
    REQUIRE(site.until([&] { return site.ironic.state("metal~a") == ironic::State::deleting; }));
  }
  SECTION("before Ironic has lent the machine") {
    REQUIRE(site.until([&] { return site.ironic.state("metal~a") == ironic::State::available; }));
  }
  SECTION("while an agent erases") { REQUIRE(site.isErasing()); }
  SECTION("while an agent erases, and the maintenance is ended by hand") {
    REQUIRE(site.isErasing());
    site.setMaintenance("");
  }
  site.patchHost("a", R"({"metadata":{"annotations":{"ingot.dev/cleaning-depth":null}}})");
  bool hasCleaned = false;
  REQUIRE(site.until(
      [&] {
        hasCleaned = hasCleaned || site.ironic.state("metal~a") == ironic::State::cleaning ||
                     site.ironic.state("metal~a") == ironic::State::cleanWait;
        return site.state("a") == "available";
      },
      90min));
  CHECK(hasCleaned);
  CHECK_FALSE(site.drives.lostPower);
  CHECK_FALSE(site.isLent());
  CHECK(site.eventMessages("metal", "DisksErased").empty());
  CHECK(site.ironic.verbs() == std::vector<std::string>{"deleted", "manage", "provide"});
}

TEST_CASE("a coordinator that has no agents does not give an owed host back") {
  Shared site;
  site.occupy();
  site.drives.take(30);
  site.giveBack();
  REQUIRE(site.isErasing());
  site.killAgent("near");
  site.killCoordinator();
  site.startCoordinator();
  site.pass(30min);
  CHECK(site.state("a") == "deprovisioning");
  CHECK(site.fails("no agent serves this host"));
  site.startAgent("near");
  REQUIRE(site.becomes("available", 90min));
  CHECK(site.isClean());
}

TEST_CASE("an operator's maintenance is left as it is, and waited for") {
  Shared site;
  site.occupy();
  site.giveBack();
  REQUIRE(site.until([&] { return site.ironic.state("metal~a") == ironic::State::deleting; }));
  REQUIRE(site.until([&] { return site.ironic.state("metal~a") == ironic::State::available; }));
  if (!site.isLent()) {
    site.setMaintenance("hands in the machine");
    CHECK(site.fails("is in maintenance in Ironic (hands in the machine)"));
    site.pass(10min);
    CHECK(json::textAt(site.node(), {"maintenance_reason"}) == "hands in the machine");
    CHECK(site.drives.erasures() == 0);
    CHECK(site.machine().powerState == "Off");
    site.setMaintenance("");
  }
  REQUIRE(site.becomes("available", 1h));
  CHECK(site.isClean());
}

TEST_CASE("an erasure beside Ironic goes on through deaths, and nothing is erased twice") {
  Shared site;
  site.occupy();
  site.drives.take(30);
  SECTION("of the coordinator, in the middle") {
    site.giveBack();
    REQUIRE(site.isErasing());
    site.killCoordinator();
    site.pass(30s);
    site.startCoordinator();
  }
  SECTION("of the agent, in the middle") {
    site.giveBack();
    REQUIRE(site.isErasing());
    site.killAgent("near");
    site.pass(30s);
    site.startAgent("near");
  }
  SECTION("of the coordinator, when Ironic has lent the machine") {
    site.giveBack();
    REQUIRE(site.until([&] { return site.isLent(); }));
    site.killCoordinator();
    site.pass(30s);
    site.startCoordinator();
  }
  SECTION("of the coordinator, when it has taken the machine back") {
    site.giveBack();
    REQUIRE(site.until([&] { return site.isLent(); }));
    site.network.beforeRequest = [&](const net::ClientOptions&, const net::HttpRequest& request) {
      if (request.method == "PATCH" && request.target.find("baremetalhosts/a") != std::string::npos && !site.isLent())
        throw net::HttpError(net::HttpError::Code::reset, "the API is away");
    };
    REQUIRE(site.until([&] { return !site.isLent(); }, 1h));
    site.killCoordinator();
    REQUIRE(site.state("a") == "deprovisioning");
    site.network.beforeRequest = {};
    site.pass(30s);
    site.startCoordinator();
  }
  SECTION("the answer to the loan is lost") {
    site.ironic.failNext("PUT", "/maintenance", {.kind = FakeFault::Kind::lostAnswer});
    site.giveBack();
  }
  SECTION("the answer to its end is lost") {
    site.ironic.failNext("DELETE", "/maintenance", {.kind = FakeFault::Kind::lostAnswer});
    site.giveBack();
  }
  REQUIRE(site.becomes("available", 2h));
  CHECK(site.isClean());
  CHECK_FALSE(site.drives.lostPower);
  CHECK_FALSE(site.isLent());
  CHECK(site.ironic.verbs() == std::vector<std::string>{"deleted"});
}

TEST_CASE("a host that is deleted is erased by its agent before it goes") {
  Shared site;
  site.occupy();
  site.removeHost("a");
  REQUIRE(site.goes(1h));
  CHECK(site.isClean());
  CHECK_FALSE(site.drives.lostPower);
  CHECK_FALSE(site.ironic.has("metal~a"));
}

TEST_CASE("without an agent the host waits for one, with its disks as they are") {
  Shared site;
  site.occupy();
  site.killAgent("near");
  site.pass(2min);
  site.giveBack();
  CHECK(site.fails("no agent serves this host"));
  CHECK(site.state("a") == "deprovisioning");
  CHECK(site.drives.erasures() == 0);
  site.startAgent("near");
  REQUIRE(site.becomes("available", 1h));
  CHECK(site.isClean());
}
