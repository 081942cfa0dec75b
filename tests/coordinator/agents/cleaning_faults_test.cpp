// Cleaning without Ironic when something is not as it should be (docs/decisions/0022).
#include "tests/coordinator/agents/cleaned_site.hpp"

#include <fmt/chrono.h>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

// The coordinator dies in a provisioning, when the host is on and its status does not say so yet.
void dieOnceItIsOn(Cleaned& site) {
  REQUIRE(site.becomes("available"));
  bool isOn = false;
  site.machine().onReset = [&site, &isOn] { isOn = isOn || site.at("/Insert") < site.machine().journal.size(); };
  site.provision();
  REQUIRE(site.until([&] { return isOn; }));
  site.machine().onReset = {};
  site.killCoordinator();
}

}  // namespace

TEST_CASE("a disk that is not there any more is told of after a quarter of an hour, and let go by name") {
  Cleaned site;
  site.occupy();
  site.drives.drives.pop_back();
  site.giveBack();
  REQUIRE(site.fails("the BMC does not show the drives B, which inspection found", 30min));
  REQUIRE(site.until([&] { return site.host("a")->status.errorType == "provisioning error"; }, 20min));
  CHECK(site.machine().powerState == "Off");
  site.patchHost("a", R"({"metadata":{"annotations":{"ingot.dev/cleaning-depth":"crypto,B=keep"}}})");
  CHECK(site.becomes("available", 2h));
  CHECK(site.drives.drives[0].erasures.size() == 1);
}

TEST_CASE("a host whose inspection found no disk is not taken for one that has none") {
  Cleaned site("crypto", [](FakeDrives& drives) { drives.needPower = true; });  // it is off then
  CHECK(site.fails("its inspection found none, which may only have had no power"));
  CHECK(site.state("a") == "preparing");
}

TEST_CASE("a provisioning that never came to boot its image leaves the disks alone") {
  Cleaned site;
  REQUIRE(site.becomes("available"));
  site.machine().instead = [drives = site.machine().instead](const net::ServerRequest& request) {
    if (request.path().ends_with("/Insert")) return std::optional(net::HttpResponse{.status = 400});
    return drives(request);
  };
  site.provision();
  REQUIRE(site.fails("no virtual CD drive took", 30min));
  site.giveBack();
  REQUIRE(site.becomes("available", 30min));
  CHECK(site.drives.erasures() == 0);
}

TEST_CASE("a disk that fails is erased again, alone, until it is; then the host goes on") {
  Cleaned site;
  site.occupy();
  site.drives.drives[1].end = "Exception";
  site.giveBack();
  REQUIRE(site.fails("1 of 2 drives were not erased: B: the BMC says: words of the task", 30min));
  CHECK(site.certificates().empty());
  site.drives.drives[1].end = "Completed";
  REQUIRE(site.becomes("available", 2h));
  CHECK(site.drives.drives[0].erasures.size() == 1);
  CHECK(site.drives.drives[1].erasures.size() >= 2);
  CHECK(site.certificates().size() == 1);
}

TEST_CASE("a deletion waits for disks that are being erased, however long that takes") {
  Cleaned site;
  site.occupy();
  site.drives.drives[1].looks = 130;
  site.removeHost("a");
  REQUIRE(site.until(
      [&] {
        return site.host("a")->status.errorMessage.find("the drive B: it takes longer than 30 min") !=
                   std::string::npos ||
               !site.drives.isErasing();
      },
      2h));
  CHECK(site.goes(2h));
  CHECK(site.isClean());
  CHECK_FALSE(site.drives.lostPower);
  CHECK(site.eventMessages("metal", "DeprovisioningSkipped").empty());
}

TEST_CASE("a disk that another host's inspection found, too, is not erased under that one") {
  Cleaned site;
  site.occupy();
  site.addBmc("10.0.0.2").hasMedia = true;
  FakeDrives shared(site.bmc("10.0.0.2"));
  shared.add("B");
  site.addHost("b", "10.0.0.2", false);
  site.patchHost("b", R"({"metadata":{"annotations":{"inspect.metal3.io":null}}})");
  REQUIRE(site.until([&] { return site.state("b") == "available"; }));
  site.giveBack();
  REQUIRE(site.fails("the drive B was found by the inspection of host metal/b too", 10min));
  CHECK(site.drives.erasures() == 0);
}

TEST_CASE("a host that nobody can inspect keeps no disk of another's, whatever its annotation says") {
  Cleaned site;
  site.occupy();
  api::BareMetalHost other;
  other.metadata.namespace_ = "metal";
  other.metadata.name = "b";
  other.spec.inspectionMode = "disabled";
  other.metadata.annotations["inspect.metal3.io/hardwaredetails"] = R"({"storage":[{"serialNumber":"B"}]})";
  site.loop.run(site.user().create(other));
  REQUIRE(site.until([&] { return site.host("b")->status.hardware.has_value(); }));
  site.giveBack();
  REQUIRE(site.becomes("available", 30min));
  CHECK(site.isClean());
}

TEST_CASE("a certificate that somebody else has put there is not taken for ours") {
  Cleaned site;
  site.occupy();
  site.drives.take(30);
  site.giveBack();
  REQUIRE(site.until([&] { return site.drives.erasures() == 2; }));
  const auto& begun = site.host("a")->status.operationHistory.deprovision.start;
  REQUIRE(begun);
  kube::ConfigMap forged;
  forged.metadata.namespace_ = "metal";
  forged.metadata.name = fmt::format("a-erasure-{:%Y%m%d%H%M%S}", std::chrono::floor<std::chrono::seconds>(*begun));
  forged.data["certificate.json"] = "{}";
  site.loop.run(site.user().create(forged));
  REQUIRE(site.becomes("available", 30min));
  CHECK(site.certificates().size() == 2);
  CHECK(site.eventMessages("metal", "DisksErased").front().ends_with(forged.metadata.name + "-2"));
}

TEST_CASE("a BMC that does not list a boot into setup has its drives erased while the host is off") {
  Cleaned site;
  site.occupy();
  site.machine().bootTargets = R"("None","Pxe","Hdd","Cd")";
  site.giveBack();
  REQUIRE(site.becomes("available", 15min));
  CHECK(site.isClean());
}

TEST_CASE("a host whose depth is taken away is given to nobody") {
  Cleaned site;
  REQUIRE(site.becomes("available"));
  site.patchHost("a", R"({"metadata":{"annotations":{"ingot.dev/cleaning-depth":null}}})");
  site.provision();
  CHECK(site.fails("ingot.dev/cleaning-depth=crypto"));
  CHECK(site.machine().media.empty());
}

TEST_CASE("a power-on that fails does not take the boot into setup back: no operating system runs beside an erasure") {
  Cleaned site;
  site.occupy();
  const net::HttpResponse no{.status = 500, .body = R"({"error":{"message":"no power-on now"}})"};
  site.machine().onReset = [&site, no, seen = 0]() mutable {
    if (++seen == 2) site.machine().refusals = {no, no, no};  // the first one is the power-off
  };
  site.giveBack();
  REQUIRE(site.becomes("available", 1h));
  CHECK(site.isClean());
  const auto setup = site.at("BiosSetup");
  const auto erased = site.at("/d/0/erase");
  REQUIRE(erased < site.machine().journal.size());
  // The last thing that was said of what it boots from, before it was erased.
  auto last = std::string();
  for (auto i = setup; i < erased; ++i)
    if (site.machine().journal[i].find("BootSourceOverride") != std::string::npos) last = site.machine().journal[i];
  CHECK(last.find("BiosSetup") != std::string::npos);
}

TEST_CASE("a deletion waits for an agent that is away, and for drives that show themselves late") {
  Cleaned site;
  site.occupy();
  if (GENERATE(false, true)) {
    site.killAgent("near");
    site.removeHost("a");
    site.pass(10min);
    site.startAgent("near");
  } else {
    site.drives.instead = [&site, until = site.loop.clock.now() + 10min](
                              const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
      if (request.path() != "/d/1" || site.loop.clock.now() >= until) return std::nullopt;
      return net::HttpResponse{.status = 200, .body = R"({"Id":"1","Status":{"State":"Absent"}})"};
    };
    site.removeHost("a");
  }
  CHECK(site.goes(1h));
  CHECK(site.isClean());
  CHECK(site.certificates().size() == 1);
  CHECK(site.eventMessages("metal", "DeprovisioningSkipped").empty());
}

TEST_CASE("a cleaning that is called off by a coordinator that has forgotten it is waited for, too") {
  Cleaned site;
  site.occupy();
  site.drives.take(30);
  site.giveBack();
  REQUIRE(site.until([&] { return site.drives.erasures() == 2; }));
  site.killCoordinator();
  site.patchHost("a", R"({"spec":{"automatedCleaningMode":"disabled"}})");
  site.killAgent("near");
  site.box("near").journal.erasures.clear();  // its disk was lost
  site.startAgent("near");
  site.startCoordinator();
  REQUIRE(site.becomes("available", 1h));
  CHECK_FALSE(site.drives.lostPower);
}

TEST_CASE("a coordinator that comes to lead in the middle does not take a host that was switched on for untouched") {
  Cleaned site;
  dieOnceItIsOn(site);
  REQUIRE(site.state("a") == "provisioning");
  const bool isOtherWish = GENERATE(false, true);
  site.patchHost("a", isOtherWish ? R"({"spec":{"customDeploy":{"method":"x"},"image":null}})"
                                  : R"({"metadata":{"annotations":{"ingot.dev/cleaning-depth":null}}})");
  site.startCoordinator();
  if (isOtherWish) {
    REQUIRE(site.fails("customDeploy 'x' takes Ironic"));
    site.patchHost("a", R"({"spec":{"customDeploy":null,"online":false}})");
    REQUIRE(site.becomes("available", 20min));
    CHECK(site.isClean());
  } else {
    REQUIRE(site.until([&] { return site.state("a") == "deprovisioning" && site.machine().media.empty(); }, 20min));
    CHECK(site.until([&] { return site.machine().powerState == "Off"; }));
    CHECK(site.fails("ingot.dev/cleaning-depth=crypto"));
  }
  CHECK(site.machine().media.empty());
  CHECK(site.machine().powerState == "Off");
}

TEST_CASE("disks that a tenant may have written are erased where the coordinator that goes on has got less far") {
  Cleaned site;
  dieOnceItIsOn(site);
  bool isSwitchedOff = false;
  site.machine().onReset = [&isSwitchedOff] { isSwitchedOff = true; };
  site.startCoordinator();
  REQUIRE(site.until([&] { return isSwitchedOff; }, 20min));  // it begins anew
  site.machine().onReset = {};
  site.patchHost("a", R"({"spec":{"image":null,"online":false}})");
  REQUIRE(site.becomes("available", 1h));
  CHECK(site.isClean());
  CHECK(site.certificates().size() == 1);
}

TEST_CASE("a wish that only Ironic could fulfil makes nobody forget what was attempted before it") {
  Cleaned site;
  dieOnceItIsOn(site);
  site.patchHost("a", R"({"spec":{"customDeploy":{"method":"x"},"image":null}})");
  site.startCoordinator();
  REQUIRE(site.until([&] { return !site.host("a")->status.errorMessage.empty(); }));
  site.killCoordinator();  // before it gave the machine back
  REQUIRE(site.state("a") == "provisioning");
  site.patchHost("a", R"({"spec":{"customDeploy":null,"online":false}})");
  site.startCoordinator();
  REQUIRE(site.becomes("available", 1h));
  CHECK(site.isClean());
}
