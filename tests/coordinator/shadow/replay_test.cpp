// A coordinator in shadow beside recorded clusters of Metal3. The API that has them keeps no managed fields, so that
// nothing can be unforeseen here: recorded_pair_test.cpp has that.
#include "tests/coordinator/shadow/replay.hpp"

#include "tests/support/exposition.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using coordinator::shadow::Outcome;

// Metal3 has left the failure of an earlier try on its machines, which are well.
const std::set<std::string> kLeftBehind = {
    "not_done Metal3Machine status.conditions[AssociateMetal3MachineMetaData].reason",
    "not_done Metal3Machine status.conditions[AssociateMetal3MachineMetaData].status",
    "not_done Metal3Machine status.conditions[Ready].reason", "not_done Metal3Machine status.conditions[Ready].status"};

TEST_CASE("beside a settled cluster of Metal3 a shadow writes nothing and decides nothing else", "[shadow]") {
  Replay replay("provisioned.jsonl");
  replay.start();
  replay.clock.advance(30min);
  CHECK_FALSE(replay.hasWritten());
  CAPTURE(replay.told());
  CHECK(replay.toldOf() == kLeftBehind);
  CHECK(replay.count(Outcome::notDone) > 0);
  CHECK(replay.count(Outcome::differs) == 0);
}

// And the Metal3 of a recording stands still, so that what it was about to do is not done.
TEST_CASE("nor in any other state, but for what Metal3 was about to do", "[shadow]") {
  Replay replay("2-other-states.jsonl");
  replay.start();
  replay.clock.advance(30min);
  CHECK_FALSE(replay.hasWritten());
  std::set<std::string> wanted = kLeftBehind;
  wanted.insert(
      {// The host without its Secret: both say that it fails, each in its words.
       "not_done BareMetalHost status.conditions[Manageable].reason",
       "not_done BareMetalHost status.conditions[Ready].reason",
       // The remediation had just been made.
       "not_done BareMetalHost metadata.annotations[reboot.metal3.io/metal3-remediation-" +
           json::textAt(replay.now(replay.objects.at("Metal3Remediation/md-z7vfk-vhxhq")), {"metadata", "uid"}) + "]",
       "not_done Metal3Remediation metadata.finalizers[metal3remediation.infrastructure.cluster.x-k8s.io]"});
  CAPTURE(replay.told());
  CHECK(replay.toldOf() == wanted);  // in a term in which no attempt has had its time yet
}

// An attempt ends when its time is over by the clock of the process that follows it. What is told has the controllers
// begin anew, and those of a new term have followed no attempt yet. One that works would have written it, and not taken
// it back.
TEST_CASE("a remediation's next try is wanted once its attempt has had its time in one term, and not in the next one",
          "[shadow]") {
  Replay replay("2-other-states.jsonl");
  replay.start();
  const auto isWanted = [&] { return replay.toldOf().contains("not_done Metal3Remediation status.retryCount"); };
  const auto terms = [&] { return replay.lines("the controllers begin anew"); };
  for (int round = 0; round < 2; ++round) {
    std::size_t term = terms();
    auto begun = replay.clock.now();
    REQUIRE(replay.clock.advanceUntil(
        [&] {
          if (std::exchange(term, terms()) != terms()) begun = replay.clock.now();
          return isWanted();
        },
        30min));
    CHECK(replay.clock.now() - begun >= 5min);  // its spec.strategy.timeout
    const auto before = terms();
    REQUIRE(replay.clock.advanceUntil([&] { return !isWanted(); }, 10min));
    CHECK(terms() == before + 1);
  }
  CHECK_FALSE(replay.hasWritten());
}

// Metal3's address manager answers a claim, with this address.
void theyAnswer(Replay& replay, const std::string& address, const std::string& claim = "next") {
  std::string name = "prov-" + address;
  std::ranges::replace(name, '.', '-');
  replay.patch("IPClaim/" + claim, R"({"metadata":{"finalizers":["ipclaim.ipam.metal3.io"]}})", Replay::kAddresses);
  const json::Value made = json::parse(fmt::format(
      R"({{"apiVersion":"ipam.metal3.io/v1alpha1","kind":"IPAddress","metadata":{{"name":"{}"}},"spec":{{"address":"{}",
          "claim":{{"name":"{}","namespace":"default"}},"pool":{{"name":"prov","namespace":"default"}},"prefix":18,
          "gateway":"10.0.0.1"}}}})",
      name, address, claim));
  replay.create(json::serialize(made), Replay::kAddresses);
  replay.patch("IPClaim/" + claim,
               fmt::format(R"({{"status":{{"address":{{"name":"{}","namespace":"default"}}}}}})", name),
               Replay::kAddresses, "status");
}

void aClaimIsMade(Replay& replay, const std::string& name = "next") {
  replay.create(fmt::format(R"({{"apiVersion":"ipam.metal3.io/v1alpha1","kind":"IPClaim","metadata":{{"name":"{}"}},
                                 "spec":{{"pool":{{"name":"prov","namespace":"default"}}}}}})",
                            name),
                "kubectl");
  replay.clock.advance(1s);
}

TEST_CASE("an address that Metal3 gives as Ingot would is agreed on", "[shadow]") {
  Replay replay("provisioned.jsonl");
  replay.start();
  aClaimIsMade(replay);
  CHECK(replay.book().pending() > 0);
  theyAnswer(replay, "10.0.0.16");
  replay.clock.advance(1min);
  CHECK_FALSE(replay.hasWritten());
  CAPTURE(replay.told());
  CHECK(replay.count(Outcome::agreed) >= 3);
  CHECK(replay.count(Outcome::differs) == 0);
}

TEST_CASE("another address is told of, with the field, both values and who", "[shadow]") {
  Replay replay("provisioned.jsonl");
  replay.start();
  aClaimIsMade(replay);
  theyAnswer(replay, "10.0.0.20");
  replay.clock.advance(1s);
  CHECK_FALSE(replay.hasWritten());
  CAPTURE(replay.told());
  CHECK(replay.told().contains(R"(differs IPClaim next status.address.name by : none, theirs "prov-10-0-0-20", )"
                               R"(ours "prov-10-0-0-16")"));
  // The controllers had given .16 away, as they believe, until they begin anew.
  replay.clock.advance(10min);
  const auto before = replay.count(Outcome::differs);
  aClaimIsMade(replay, "second");
  theyAnswer(replay, "10.0.0.16", "second");
  replay.clock.advance(1s);
  const auto told = replay.told();
  CAPTURE(told);
  CHECK(replay.count(Outcome::differs) == before);
}

// Of a machine that is there, another one, which wants the host called `host`.
void aMachineIsMade(Replay& replay, const std::string& like) {
  json::Value machine = replay.now(replay.objects.at("Machine/" + like));
  json::Value metal = replay.now(replay.objects.at("Metal3Machine/" + like));
  for (json::Value* each : {&machine, &metal}) {
    json::Object metadata{{"name", "next"}, {"labels", each->at("metadata").at("labels")}};
    each->as_object()["metadata"] = std::move(metadata);
    each->as_object().erase("status");
    each->at("spec").as_object().erase("providerID");
  }
  machine.at("spec").at("infrastructureRef").as_object()["name"] = "next";
  replay.create(json::serialize(machine), "capi-machineset");
  machine = replay.now(machine);
  metal.at("metadata").as_object()["ownerReferences"] =
      json::Array{json::Object{{"apiVersion", json::textAt(machine, {"apiVersion"})},
                               {"kind", "Machine"},
                               {"name", "next"},
                               {"uid", json::textAt(machine, {"metadata", "uid"})}}};
  metal.at("spec").as_object()["hostSelector"] = json::parse(R"({"matchLabels":{"for":"next"}})");
  replay.patch("BareMetalHost/spare", R"({"metadata":{"labels":{"for":"next"}}})", "kubectl");
  replay.clock.advance(10s);
  replay.create(json::serialize(metal), "capi-machineset");
  replay.clock.advance(2s);
}

TEST_CASE("another host than Ingot's is told of", "[shadow]") {
  Replay replay("2-other-states.jsonl");
  replay.start();
  aMachineIsMade(replay, "md-z7vfk-hpcvh");
  replay.patch("Metal3Machine/next", R"({"metadata":{"annotations":{"metal3.io/BareMetalHost":"default/noinspect"}}})",
               Replay::kProvider);
  replay.clock.advance(1s);
  CHECK_FALSE(replay.hasWritten());
  CAPTURE(replay.told());
  CHECK(replay.told().contains(
      R"(differs Metal3Machine next metadata.annotations[metal3.io/BareMetalHost] by : none, theirs )"
      R"("default/noinspect", ours "default/spare")"));
}

TEST_CASE("the same host as Ingot's is agreed on", "[shadow]") {
  const auto late = GENERATE(base::Duration(0s), base::Duration(2min));
  Replay replay("2-other-states.jsonl");
  replay.start();
  aMachineIsMade(replay, "md-z7vfk-hpcvh");
  replay.clock.advance(late);
  const auto before = replay.count(Outcome::agreed);
  replay.patch("Metal3Machine/next", R"({"metadata":{"annotations":{"metal3.io/BareMetalHost":"default/spare"}}})",
               Replay::kProvider);
  CHECK(replay.count(Outcome::agreed) == before + 1);
  CHECK(replay.count(Outcome::differs) == 0);
  CHECK_FALSE(replay.hasWritten());
}

// Every part, with work for each that writes, Ironic's among it.
TEST_CASE("with all parts at work nothing gets out", "[shadow]") {
  Replay replay("2-other-states.jsonl");
  replay.start();
  aMachineIsMade(replay, "md-z7vfk-hpcvh");
  aClaimIsMade(replay);
  replay.patch("BareMetalHost/host-3", R"({"spec":{"online":false}})", "kubectl");
  replay.patch("BareMetalHost/host-4", R"({"metadata":{"annotations":{"inspect.metal3.io":""}}})", "kubectl");
  replay.create(R"({"apiVersion":"metal3.io/v1alpha1","kind":"BareMetalHost","metadata":{"name":"new"},
                    "spec":{"online":true,"bootMACAddress":"52:54:00:00:99:01",
                            "bmc":{"address":"redfish://10.0.0.9/1","credentialsName":"spare-bmc"}}})",
                "kubectl");
  replay.clock.advance(30min);
  CHECK(replay.door.writes.empty());
  CHECK(replay.ironicDoor.writes.empty());
  CHECK(replay.ironic.journal().empty());
  std::set<std::string> deciding;
  for (const auto& [what, count] : replay.book().counts()) deciding.insert(what.first);
  for (const char* part : {"host", "ipam", "metal3machine"}) CHECK(deciding.contains(part));
  const coordinator::shadow::Shadow& shadow = *replay.program->shadow();
  for (const auto& each : shadow.transport().asked()) UNSCOPED_INFO(each.method << " " << each.what);
  CAPTURE(replay.told());
  const std::string page = replay.program->metrics().expose();
  CHECK(page.find(R"(ingot_shadow_withheld_total{from="ironic",method="PUT"})") != std::string::npos);
  CHECK(page.find("ingot_leading 0") != std::string::npos);
  CHECK(replay.lines("in shadow: nothing is written") == 1);
  CHECK(replay.lines("\"leading\"") + replay.lines(" leading") == 0);
  CHECK(page.find("metal3_") == std::string::npos);  // which count as done what is only decided
  CHECK(replay.program->readiness().obstacle.empty());
  CHECK(replay.program->readiness().remark.find("in shadow: decides, and writes nothing") != std::string::npos);
}

}  // namespace
}  // namespace ingot::tests
