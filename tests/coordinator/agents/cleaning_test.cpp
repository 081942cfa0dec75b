// --provisioner agent: the disks of a host that is given back are erased by its BMC (docs/guide/without-ironic.md).
#include "tests/coordinator/agents/cleaned_site.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

TEST_CASE("a host that is given back is erased in its setup, with power and no operating system, and certified") {
  Cleaned site;
  site.drives.needPower = true;
  site.machine().powerState = "On";  // for its inspection
  site.occupy();
  CHECK(site.drives.erasures() == 0);  // nothing is erased before somebody had it
  site.giveBack();
  REQUIRE(site.becomes("available"));
  CHECK(site.isClean());
  CHECK_FALSE(site.drives.lostPower);
  const auto end = site.machine().journal.size();
  CHECK(site.at("ForceOff") < site.at("BiosSetup"));
  CHECK(site.at("BiosSetup") < site.at("\"On\""));
  CHECK(site.at("\"On\"") < site.at("/d/0/erase"));
  CHECK(site.at("ForceOff", site.at("/d/1/erase")) < end);
  CHECK(site.machine().powerState == "Off");
  CHECK(site.machine().bootEnabled == "Disabled");
  CHECK(site.machine().media.empty());

  const auto certificates = site.certificates();
  REQUIRE(certificates.size() == 1);
  const auto& map = certificates.front();
  CHECK(map.metadata.name.starts_with("a-erasure-"));
  CHECK(map.metadata.labels.at("ingot.dev/host-uid") == site.uid("a"));
  CHECK(map.immutable == true);
  const auto certificate = json::parse(map.data.at("certificate.json"));
  CHECK(json::textAt(certificate, {"host"}) == "metal/a");
  CHECK(json::textAt(certificate, {"source", "serialNumber"}) == "S1");
  CHECK(json::textAt(certificate, {"performedBy"}) == "ingot-agent near");
  const auto& media = certificate.at("media").as_array();
  REQUIRE(media.size() == 2);
  CHECK(json::textAt(media[0], {"serialNumber"}) == "A");
  CHECK(json::textAt(media[0], {"sanitization"}) == "Purge");
  CHECK(json::textAt(media[0], {"method"}) == "CryptographicErase");
  CHECK(json::boolAt(media[0], {"verified"}) == true);
  CHECK_FALSE(json::textAt(media[0], {"completedAt"}).empty());
  const auto told = site.eventMessages("metal", "DisksErased");
  REQUIRE(told.size() == 1);
  CHECK(told.front() == "2 drives erased: A (CryptographicErase), B (CryptographicErase); certificate in ConfigMap " +
                            map.metadata.name);
}

TEST_CASE("the next time it is erased again") {
  Cleaned site;
  site.occupy();
  site.giveBack();
  REQUIRE(site.becomes("available"));
  site.occupy();
  site.giveBack();
  REQUIRE(site.becomes("available"));
  CHECK(site.drives.erasures() == 4);
  CHECK(site.certificates().size() == 2);
}

TEST_CASE("a BMC that knows no setup to boot into has its drives erased while the host is off") {
  Cleaned site;
  site.occupy();
  site.drives.instead = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.method != "PATCH" || request.body.find("BiosSetup") == std::string::npos) return std::nullopt;
    return net::HttpResponse{
        .status = 400,
        .body = R"({"error":{"@Message.ExtendedInfo":[{"MessageId":"Base.1.8.PropertyValueNotInList"}]}})"};
  };
  site.giveBack();
  REQUIRE(site.becomes("available", 15min));
  CHECK(site.isClean());
  CHECK(site.at("\"On\"") == site.machine().journal.size());
}

TEST_CASE("without the annotation nobody is given a host, nor one with an annotation that says nothing") {
  const std::string depth = GENERATE(as<std::string>(), "", "shred");
  Cleaned site(depth);
  CHECK(site.fails("ingot.dev/cleaning-depth"));
  CHECK(site.state("a") == "preparing");
  site.patchHost("a", R"({"metadata":{"annotations":{"ingot.dev/cleaning-depth":"full"}}})");
  CHECK(site.becomes("available", 30min));
}

TEST_CASE("a disk that cannot be erased is named, the host is off without its image, and is not given to the next") {
  Cleaned site;
  site.occupy();
  site.drives.drives[1].types = {"Overwrite"};
  site.giveBack();
  REQUIRE(site.fails("the drive B knows no cryptographic erase; B=full has it erased otherwise", 10min));
  CHECK(site.state("a") == "deprovisioning");
  CHECK(site.drives.erasures() == 0);  // not the other one either
  CHECK(site.until([&] { return site.machine().powerState == "Off" && site.machine().media.empty(); }));
  CHECK(site.certificates().empty());
  site.patchHost("a", R"({"metadata":{"annotations":{"ingot.dev/cleaning-depth":"crypto,B=full"}}})");
  CHECK(site.becomes("available", 60min));
  CHECK(site.drives.drives[1].erasures == std::vector<std::string>{R"({"SanitizationType":"Overwrite"})"});
}

TEST_CASE("a disk that is to be kept is, and the certificate says so") {
  Cleaned site("crypto,B=keep");
  site.occupy();
  site.giveBack();
  REQUIRE(site.becomes("available"));
  CHECK(site.drives.drives[0].erasures.size() == 1);
  CHECK(site.drives.drives[1].erasures.empty());
  REQUIRE(site.certificates().size() == 1);
  const auto certificate = json::parse(site.certificates().front().data.at("certificate.json"));
  for (const auto& medium : certificate.at("media").as_array())
    CHECK(json::textAt(medium, {"sanitization"}) == (json::textAt(medium, {"serialNumber"}) == "B" ? "none" : "Purge"));
  CHECK(site.eventMessages("metal", "DisksErased").front().find("; kept: B") != std::string::npos);
}

TEST_CASE("a host that is deleted is erased before it goes, and the certificate stays") {
  Cleaned site;
  site.occupy();
  site.removeHost("a");
  CHECK(site.goes());
  CHECK(site.isClean());
  CHECK(site.certificates().size() == 1);
}

TEST_CASE("whoever dies in the middle of it: what was begun goes on with power, and is not begun again") {
  Cleaned site;
  site.occupy();
  site.drives.take(30);
  site.giveBack();
  REQUIRE(site.until([&] { return site.drives.erasures() == 2; }));
  const auto begun = site.machine().journal.size();
  const auto who = GENERATE(as<std::string>(), "coordinator", "agent", "both");
  INFO(who);
  if (who != "agent") site.killCoordinator();
  if (who != "coordinator") site.killAgent("near");
  if (who != "agent") site.startCoordinator();
  if (who != "coordinator") site.startAgent("near");
  REQUIRE(site.becomes("available", 30min));
  CHECK_FALSE(site.drives.lostPower);
  CHECK(site.drives.erasures() == 2);
  CHECK(site.at("BiosSetup", begun) == site.machine().journal.size());  // it was there already
  CHECK(site.certificates().size() == 1);
}

TEST_CASE("an erasure that is called off in the middle is waited for before the power goes") {
  Cleaned site;
  site.occupy();
  site.drives.take(30);
  site.giveBack();
  REQUIRE(site.until([&] { return site.drives.erasures() == 2; }));
  site.patchHost("a", R"({"spec":{"automatedCleaningMode":"disabled"}})");
  if (GENERATE(false, true)) {
    site.pass(2s);
    site.killAgent("near");
    site.startAgent("near");
  }
  REQUIRE(site.becomes("available", 30min));
  CHECK_FALSE(site.drives.lostPower);
}

TEST_CASE("another machine in the host's place is not erased") {
  Cleaned site;
  site.occupy();
  site.machine().serial = "S2";
  site.giveBack();
  CHECK(site.fails("this is another machine: the BMC tells serial number S2", 30min));
  CHECK(site.drives.erasures() == 0);
}
