// What the BMCs of vendors do otherwise, each asked by hand: who has a habit shows it, and nobody else does.
#include "sim/redfish/personality.hpp"
#include "tests/sim/bench.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace ingot;
using sim::Personality;
using tests::SimBench;
using namespace std::chrono_literals;

namespace {

const net::Headers anyMatch{{"If-Match", "*"}};
constexpr auto wholeBoot =
    R"({"Boot":{"BootSourceOverrideTarget":"Pxe","BootSourceOverrideEnabled":"Continuous","BootSourceOverrideMode":"UEFI"}})";

struct Asked : SimBench {
  explicit Asked(sim::MachineSpec spec)
      : SimBench(std::move(spec)), traits(sim::redfish::traitsOf(machine.spec().personality)) {}
  explicit Asked(Personality personality, std::string model = {})
      : Asked({.personality = personality,
               .model = std::move(model),
               .disks = {{}, {.rotational = true}},
               .timing = {.boot = 20'000, .task = 20'000}}) {}

  std::string own(std::string_view path) { return sim::redfish::ownPath(traits, path); }
  json::Value system() { return get(own("/redfish/v1/Systems/1")); }
  json::Value manager() { return get(own("/redfish/v1/Managers/1")); }
  json::Value chassis() { return get(own("/redfish/v1/Chassis/1")); }
  // Where a change of what it boots from goes.
  std::string bootPath() {
    const auto settings = json::textAt(system(), {"@Redfish.Settings", "SettingsObject", "@odata.id"});
    return settings.empty() ? own("/redfish/v1/Systems/1") : settings;
  }
  int boot(const std::string& body) { return send("PATCH", bootPath(), body, anyMatch).status; }
  std::string reset(const std::string& type) {
    const auto answer = send("POST", own("/redfish/v1/Systems/1/Actions/ComputerSystem.Reset"),
                             fmt::format(R"({{"ResetType":"{}"}})", type));
    return answer.status == 204 ? "" : answer.body;
  }
  void power(const std::string& type) {
    REQUIRE(reset(type).empty());
    pass(30s);
  }
  std::string media(const char* drive) { return own(std::string("/redfish/v1/Managers/1/VirtualMedia/") + drive); }
  net::HttpResponse insert(const char* drive, const std::string& body) {
    return send("POST", media(drive) + "/Actions/VirtualMedia.InsertMedia", body);
  }

  const sim::redfish::Traits& traits;
};

bool says(const net::HttpResponse& answer, int status, const char* id) {
  return answer.status == status && answer.body.contains(id);
}

using Shows = std::function<bool(Asked&)>;
constexpr auto isoByHttp = R"({"Image":"http://x/y.iso","TransferProtocolType":"HTTP"})";

// A habit, how it is seen, and all who have it.
struct Way {
  const char* name;
  Shows shows;
  std::set<Personality> who;
};

const std::vector<Way>& ways() {
  using enum Personality;
  static const std::vector<Way> all{
      {"a lost session is 403",
       [](Asked& bmc) {
         return says(bmc.send("GET", "/redfish/v1/Systems", "", {{"X-Auth-Token", "gone"}}), 403, "NoValidSession");
       },
       {openbmc}},
      {"a weak tag does not match",
       [](Asked& bmc) {
         const auto tag = std::string(bmc.send("GET", bmc.bootPath()).headers.get("ETag"));
         return bmc.send("PATCH", bmc.bootPath(), wholeBoot, {{"If-Match", tag}}).status == 412 &&
                bmc.send("PATCH", bmc.bootPath(), wholeBoot, {{"If-Match", tag.substr(2)}}).status == 204;
       },
       {supermicro}},
      {"a PATCH without If-Match is 428",
       [](Asked& bmc) { return says(bmc.send("PATCH", bmc.bootPath(), wholeBoot), 428, "PreconditionRequired"); },
       {ami}},
      {"collections are expanded",
       [](Asked& bmc) {
         const auto systems = bmc.send("GET", "/redfish/v1/Systems?$expand=.($levels=1)");
         const auto told = bmc.get("/redfish/v1/");
         const bool offers = *json::boolAt(told, {"ProtocolFeaturesSupported", "ExpandQuery", "Levels"});
         CHECK(offers == (systems.status == 200));
         return offers && systems.body.contains("PowerState");
       },
       {idrac9, idrac10}},
      {"a new task is not found",
       [](Asked& bmc) {
         const auto begun = bmc.send("POST", "/redfish/v1/UpdateService/Actions/UpdateService.SimpleUpdate",
                                     R"({"ImageURI":"http://x/bios-2.0.0.bin"})");
         REQUIRE(begun.status == 202);
         const auto task = std::string(begun.headers.get("Location"));
         const bool isHidden = bmc.send("GET", task).status == 404;
         bmc.pass(5s);
         CHECK(bmc.send("GET", task).status == 202);
         return isHidden;
       },
       {idrac9, idrac10}},
      {"paths end in a slash",
       [](Asked& bmc) {
         const auto members = bmc.get("/redfish/v1/Systems").at("Members");
         return json::textAt(members.at(0), {"@odata.id"}).ends_with('/');
       },
       {ilo5, ilo6}},
      {"the root names no vendor",
       [](Asked& bmc) { return json::textAt(bmc.get("/redfish/v1/"), {"Vendor"}).empty(); },
       {openbmc, ami}},
      {"SKU is the serial number",
       [](Asked& bmc) { return json::textAt(bmc.system(), {"SKU"}) == bmc.machine.spec().serial; },
       {idrac9, idrac10}},
      {"the manager has the logs",
       [](Asked& bmc) {
         const bool hers = json::objectAt(bmc.manager(), {"LogServices"}) != nullptr;
         CHECK(hers == (json::objectAt(bmc.system(), {"LogServices"}) == nullptr));
         return hers;
       },
       {idrac9, idrac10, ami}},
      {"the system has the virtual drives",
       [](Asked& bmc) {
         const bool its = json::objectAt(bmc.system(), {"VirtualMedia"}) != nullptr;
         CHECK(its == (json::objectAt(bmc.manager(), {"VirtualMedia"}) == nullptr));
         return its;
       },
       {idrac10}},
      {"there are sensors alone",
       [](Asked& bmc) {
         const bool alone = json::objectAt(bmc.chassis(), {"Sensors"}) != nullptr;
         CHECK(alone == (bmc.send("GET", bmc.own("/redfish/v1/Chassis/1/Thermal")).status == 404));
         CHECK(alone == (bmc.send("GET", bmc.own("/redfish/v1/Chassis/1/Sensors")).status == 200));
         return alone;
       },
       {idrac10, openbmc}},
      {"resets are listed by an ActionInfo",
       [](Asked& bmc) {
         const auto info = json::textAt(bmc.system(), {"Actions", "#ComputerSystem.Reset", "@Redfish.ActionInfo"});
         return !info.empty() && bmc.send("GET", info).body.contains("ForceRestart");
       },
       {openbmc}},
      {"drives cannot be erased",
       [](Asked& bmc) {
         const auto drive = bmc.own("/redfish/v1/Systems/1/Storage/1/Drives/0");
         const bool none = json::objectAt(bmc.get(drive), {"Actions"}) == nullptr;
         CHECK(none == (bmc.send("POST", drive + "/Actions/Drive.SecureErase", "{}").status == 404));
         return none;
       },
       {openbmc}},
      {"what it boots from is listed and changed in its settings",
       [](Asked& bmc) {
         const auto system = bmc.own("/redfish/v1/Systems/1");
         if (bmc.send("PATCH", system, wholeBoot, anyMatch).status == 204) return false;
         CHECK(json::arrayAt(bmc.system(), {"Boot", "BootSourceOverrideTarget@Redfish.AllowableValues"}) == nullptr);
         CHECK(json::arrayAt(bmc.get(bmc.bootPath()), {"Boot", "BootSourceOverrideTarget@Redfish.AllowableValues"}));
         REQUIRE(bmc.boot(wholeBoot) == 204);
         CHECK(json::textAt(bmc.system(), {"Boot", "BootSourceOverrideTarget"}) == "None");  // before the next boot
         bmc.power("On");
         CHECK(json::textAt(bmc.system(), {"Boot", "BootSourceOverrideTarget"}) == "Pxe");
         return true;
       },
       {idrac10, ami}},
      {"a boot change is whole or refused",
       [](Asked& bmc) { return bmc.boot(R"({"Boot":{"BootSourceOverrideTarget":"Pxe"}})") == 400; },
       {ami}},
      {"a boot target without duration is dropped",
       [](Asked& bmc) {
         REQUIRE(bmc.boot(wholeBoot) == 204);
         static_cast<void>(bmc.boot(R"({"Boot":{"BootSourceOverrideTarget":"Hdd"}})"));
         return json::textAt(bmc.get(bmc.bootPath()), {"Boot", "BootSourceOverrideTarget"}) == "None";
       },
       {supermicro}},
      {"it boots in legacy mode unless it is told",
       [](Asked& bmc) {
         static_cast<void>(
             bmc.boot(R"({"Boot":{"BootSourceOverrideTarget":"Pxe","BootSourceOverrideEnabled":"Once"}})"));
         return json::textAt(bmc.get(bmc.bootPath()), {"Boot", "BootSourceOverrideMode"}) == "Legacy";
       },
       {supermicro}},
      {"Cd is not the virtual drive",
       [](Asked& bmc) {
         REQUIRE(bmc.boot(R"({"Boot":{"BootSourceOverrideTarget":"Cd","BootSourceOverrideEnabled":"Once",)"
                          R"("BootSourceOverrideMode":"UEFI"}})") == 204);
         bmc.power("On");
         return bmc.machine.bootedFrom() != sim::BootDevice::cd;
       },
       {idrac10, supermicro}},
      {"UsbCd is",
       [](Asked& bmc) {
         const auto settings = bmc.get(bmc.bootPath());
         const auto* targets = json::arrayAt(settings, {"Boot", "BootSourceOverrideTarget@Redfish.AllowableValues"});
         return std::ranges::find(*targets, json::Value("UsbCd")) != targets->end();
       },
       {supermicro}},
      {"a host in POST takes no boot change",
       [](Asked& bmc) {
         REQUIRE(bmc.reset("On").empty());
         bmc.pass(5s);
         const auto early = bmc.send("PATCH", bmc.bootPath(), wholeBoot, anyMatch);
         bmc.pass(30s);
         CHECK(bmc.boot(wholeBoot) == 204);
         return says(early, 400, "iLO.2.14.UnableToModifyDuringSystemPOST");
       },
       {ilo5, ilo6}},
      {"On soon after off is lost",
       [](Asked& bmc) {
         bmc.power("On");
         REQUIRE(bmc.reset("ForceOff").empty());
         bmc.pass(2s);
         const bool isTaken = bmc.reset("On").empty();
         bmc.pass(20s);
         return isTaken && !bmc.machine.on();
       },
       {xcc}},
      {"ForceRestart hangs",
       [](Asked& bmc) {
         bmc.power("On");
         bmc.power("ForceRestart");
         return !bmc.machine.on();
       },
       {xcc}},
      {"On soon after off is a conflict",
       [](Asked& bmc) {
         bmc.power("On");
         REQUIRE(bmc.reset("ForceOff").empty());
         bmc.pass(2s);
         return bmc.reset("On").contains("ActionParameterValueConflict");
       },
       {idrac10}},
      {"one virtual drive",
       [](Asked& bmc) {
         return json::intAt(bmc.get(bmc.own("/redfish/v1/Managers/1/VirtualMedia")), {"Members@odata.count"}) == 1;
       },
       {supermicro, openbmc}},
      {"drives are patched",
       [](Asked& bmc) {
         const bool alone = json::objectAt(bmc.get(bmc.media("Cd")), {"Actions"}) == nullptr;
         CHECK(alone ==
               (bmc.insert("Cd", R"({"Image":"https://x/y.iso","TransferProtocolType":"HTTPS"})").status == 404));
         return alone;
       },
       {xcc}},
      {"Inserted shows late",
       [](Asked& bmc) {
         bmc.machine.cd.image = "https://x/y.iso";
         bmc.machine.cd.filledAt = bmc.clock.now();
         const bool isLate = !*json::boolAt(bmc.get(bmc.media("Cd")), {"Inserted"});
         bmc.pass(5s);
         CHECK(*json::boolAt(bmc.get(bmc.media("Cd")), {"Inserted"}));
         return isLate;
       },
       {xcc}},
      {"the first drive listed takes CDs that do not boot",
       [](Asked& bmc) {
         const auto drives = bmc.get(bmc.own("/redfish/v1/Managers/1/VirtualMedia")).at("Members");
         const auto first = json::textAt(drives.at(0), {"@odata.id"});
         return first != bmc.media("Cd") && first != bmc.media("Cd") + "/" &&
                bmc.send("GET", first).body.contains("\"CD\"");
       },
       {idrac10, xcc}},
      {"the other drive takes uploads alone",
       [](Asked& bmc) {
         if (json::intAt(bmc.get(bmc.own("/redfish/v1/Managers/1/VirtualMedia")), {"Members@odata.count"}) == 1)
           return false;
         return bmc.send("PATCH", bmc.media("Floppy"), R"({"Image":"https://x/y.iso","TransferProtocolType":"HTTPS"})",
                         anyMatch)
                    .status == 400;
       },
       {xcc}},
      {"an image without TransferProtocolType is refused",
       [](Asked& bmc) {
         return says(bmc.insert("Cd", R"({"Image":"https://x/y.iso"})"), 400, "#/TransferProtocolType");
       },
       {ami}},
      {"the flags of a drive are read-only",
       [](Asked& bmc) {
         return says(bmc.insert("Cd", R"({"Image":"https://x/y.iso","TransferProtocolType":"HTTPS","Inserted":true})"),
                     400, "#/Inserted");
       },
       {supermicro}},
      {"an ejection wants a body",
       [](Asked& bmc) { return bmc.send("POST", bmc.media("Cd") + "/Actions/VirtualMedia.EjectMedia").status == 415; },
       {ilo5, ilo6}},
      {"images come by HTTPS alone",
       [](Asked& bmc) { return says(bmc.insert("Cd", isoByHttp), 400, "PropertyValueNotInList"); },
       {openbmc}},
      {"drives are left alone after a power change",
       [](Asked& bmc) {
         bmc.machine.cd.image = "https://x/old.iso";
         REQUIRE(bmc.reset("On").empty());
         bmc.pass(2s);
         const auto early = bmc.send("POST", bmc.media("Cd") + "/Actions/VirtualMedia.EjectMedia", "{}");
         return says(early, 400, "InvalidOperationForSystemState");
       },
       {ilo5, ilo6}},
      {"AuxCycle is for a system that is off",
       [](Asked& bmc) {
         const auto path = bmc.own("/redfish/v1/Systems/1/Actions/Oem/Hpe/HpeComputerSystemExt.SystemReset");
         bmc.power("On");
         const auto early = bmc.send("POST", path, R"({"ResetType":"AuxCycle"})");
         bmc.power("ForceOff");
         const auto then = bmc.send("POST", path, R"({"ResetType":"AuxCycle"})");
         return early.status == 400 && then.status == 204;
       },
       {ilo5, ilo6}},
      {"ACPowerCycle",
       [](Asked& bmc) {
         return bmc.send("POST", bmc.own("/redfish/v1/Systems/1/Actions/Oem/LenovoComputerSystem.SystemReset"),
                         R"({"ResetType":"ACPowerCycle"})")
                    .status == 204;
       },
       {xcc}},
      {"ACCycle",
       [](Asked& bmc) {
         return bmc.send("POST", bmc.own("/redfish/v1/Systems/1/Actions/Oem/OemSystemExtensions.Reset"),
                         R"({"ResetType":"ACCycle"})")
                    .status == 204;
       },
       {supermicro}},
      {"no NMI", [](Asked& bmc) { return !bmc.reset("Nmi").empty(); }, {ami}},
      {"events are pushed to subscribers alone",
       [](Asked& bmc) {
         const bool alone = json::textAt(bmc.get("/redfish/v1/EventService"), {"ServerSentEventUri"}).empty();
         if (alone) CHECK(bmc.send("GET", "/redfish/v1/EventService/SSE").status == 404);
         return alone;
       },
       {ilo5, ilo6, xcc}},
      {"a subscription names its EventTypes",
       [](Asked& bmc) {
         return says(bmc.send("POST", "/redfish/v1/EventService/Subscriptions",
                              R"({"Destination":"https://agent/x","Protocol":"Redfish"})"),
                     400, "#/EventTypes");
       },
       {idrac9, supermicro}},
      {"a subscription knows no VerifyCertificate",
       [](Asked& bmc) {
         return says(bmc.send("POST", "/redfish/v1/EventService/Subscriptions",
                              R"({"Destination":"https://agent/x","Protocol":"Redfish","EventTypes":["Alert"],)"
                              R"("VerifyCertificate":false})"),
                     400, "#/VerifyCertificate");
       },
       {idrac9, ilo5, ilo6}},
  };
  return all;
}

}  // namespace

TEST_CASE("each habit is shown by those that have it, and by nobody else") {
  for (const auto& way : ways()) {
    std::set<Personality> shown;
    for (const auto& [personality, name] : namesOf(Personality())) {
      INFO(way.name);
      INFO(name);
      Asked bmc(personality);
      if (way.shows(bmc)) shown.insert(personality);
    }
    INFO(way.name);
    CHECK(shown == way.who);
  }
}

TEST_CASE("of the XCCs the SR675 alone loses what it is told soon after an off") {
  Asked bmc(Personality::xcc, "ThinkSystem SR650 V3");
  bmc.power("On");
  REQUIRE(bmc.reset("ForceOff").empty());
  bmc.pass(2s);
  bmc.power("On");
  CHECK(bmc.machine.on());
  bmc.power("ForceRestart");
  CHECK(bmc.machine.on());
}

TEST_CASE("an iDRAC 9 boots its virtual drive as Cd with the firmware that does, and with no other") {
  for (const auto& [firmware, boots] : std::map<std::string, bool>{
           {"5.10.50.00", false}, {"6.00.00.00", true}, {"7.10.50.00", true}, {"8.05.00.00", false}}) {
    INFO(firmware);
    Asked bmc({.personality = Personality::idrac9, .bmcFirmware = firmware});
    REQUIRE(bmc.boot(R"({"Boot":{"BootSourceOverrideTarget":"Cd","BootSourceOverrideEnabled":"Once"}})") == 204);
    bmc.power("On");
    CHECK((bmc.machine.bootedFrom() == sim::BootDevice::cd) == boots);
  }
}

TEST_CASE("a path that is half a vendor's own is none") {
  Asked dell(Personality::idrac10);
  for (const auto* path :
       {"/redfish/v1/Managers/iDRAC.Embedded.1/VirtualMedia", "/redfish/v1/Systems/System.Embedded.1/LogServices/SEL",
        "/redfish/v1/Managers/iDRAC.Embedded.1/VirtualMedia/Cd"}) {
    INFO(path);
    CHECK(dell.send("GET", path).status == 404);
  }
}
