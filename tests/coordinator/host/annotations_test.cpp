#include "coordinator/host/annotations.hpp"

#include "api/bmh/carried_status.hpp"
#include "tests/coordinator/host/world.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using host::State;

constexpr auto reboot = api::annotation::reboot;

// As `clusterctl move` brings it.
void bringFinalizer(World& w) { w.patch(R"({"metadata":{"finalizers":["baremetalhost.metal3.io"]}})"); }

std::string toldOf(std::string_view name, const std::string& value) {
  const auto texts = host::invalidAnnotations(aHost(State::provisioned).annotated(name, value));
  return texts.empty() ? "" : texts.front();
}

TEST_CASE("an annotation that says nothing we know is named, with its value and what would be right",
          "[host][annotations]") {
  for (const char* value : {"", "{}", R"({"mode":"hard","force":true})"}) CHECK(toldOf(reboot, value).empty());
  for (const char* value : {"", "{}", R"({"deleteAction":"delay","force":false})"})
    CHECK(toldOf(detached, value).empty());
  CHECK(toldOf(details, R"({"hostname":"a"})").empty());

  CHECK(
      toldOf("reboot.metal3.io/me", "{what") ==
      R"(annotation reboot.metal3.io/me counts as a soft reboot: its value "{what" cannot be read; right would be nothing, or )"
      R"({"mode": "hard" or "soft", "force": true or false})");
  CHECK(
      toldOf(detached, R"({"deleteAction":"dealy"})") ==
      R"(annotation baremetalhost.metal3.io/detached counts without options: its value "{"deleteAction":"dealy"}" cannot be )"
      R"(read; right would be nothing, or {"deleteAction": "delay" or "delete"})");
  CHECK_FALSE(toldOf(detached, "[]").empty());
  CHECK(
      toldOf(detached, R"({"force":true})") ==
      R"(annotation baremetalhost.metal3.io/detached: "force" is not supported: the host is detached once it has come )"
      "to rest");
  CHECK_THAT(toldOf(details, R"({"hostnam":"a"})"), Catch::Contains("cannot be read: unknown field \"hostnam\""));
  CHECK(toldOf(details, "{" + std::string(5000, 'x')).size() < 500);
}

TEST_CASE("hardware details that cannot be read hold up nobody: they are told once, and shown while they stand",
          "[host][annotations]") {
  World w(World::Admission::none);
  w.create(aHost(State::none).annotated(details, R"({"hostnam":"a"})").with([](auto& h) {
    h.spec.inspectionMode = "disabled";
  }));
  REQUIRE(w.reaches("available"));
  w.settle(5min);
  const auto shown = [&] { return w.get().status.errorMessage; };
  CHECK_THAT(shown(), Catch::StartsWith("annotation inspect.metal3.io/hardwaredetails is ignored: "));
  CHECK(w.get().status.errorType.empty());
  CHECK(std::ranges::count(w.eventReasons(), "InvalidAnnotationValue") == 1);
  w.patch(R"({"metadata":{"annotations":{"inspect.metal3.io/hardwaredetails":"{\"hostname\":\"a\"}"}}})");
  w.settle(5s);
  CHECK(shown().empty());
  CHECK(w.get().status.hardware->hostname == "a");
}

TEST_CASE("an annotation that cannot be read does not hold a deletion", "[host][annotations]") {
  World w(World::Admission::none);
  w.create(aHost(State::none).annotated(details, "{what").with([](auto& h) { h.spec.inspectionMode = "disabled"; }));
  REQUIRE(w.reaches("available"));
  w.remove();
  CHECK(w.vanishes(1min));
}

TEST_CASE("a carried status that the API does not take holds the host back until it is corrected",
          "[host][annotations]") {
  World w(World::Admission::none);
  w.create(aHost(State::none).annotated(carried, R"({"operationalStatus":"levitating","errorType":"none"})"));
  w.settle(5min);
  CHECK(w.get().status.provisioning.state.empty());
  CHECK_THAT(
      w.get().status.errorMessage,
      Catch::StartsWith("annotation baremetalhost.metal3.io/status holds the host back, because the API does not "
                        "take its value \"{\"operationalStatus\":\"levitating\"") &&
          Catch::Contains("; right would be the status of a BareMetalHost"));
  CHECK_FALSE(api::knownStateOf(w.get()).state);  // it was refused
  CHECK(std::ranges::count(w.eventReasons(), "InvalidAnnotationValue") == 1);
  SECTION("corrected") {
    w.patch(
        R"({"metadata":{"annotations":{"baremetalhost.metal3.io/status":"{\"provisioning\":{\"state\":\"available\"}}"}}})");
    CHECK(w.reaches("available", 5min));
    CHECK(w.get().status.errorMessage.empty());
    CHECK_FALSE(w.get().metadata.annotations.contains(std::string(carried)));
  }
  SECTION("deleted") {
    bringFinalizer(w);
    w.remove();
    CHECK(w.vanishes(1min));
    const auto events = w.events();
    const auto skipped = std::ranges::find(events, "PowerOffSkipped", &kube::Event::reason);
    REQUIRE(skipped != events.end());
    CHECK_THAT(skipped->message, Catch::Contains("could not be taken over") && Catch::Contains("levitating"));
    CHECK(std::ranges::count(w.eventReasons(), "DeprovisioningSkipped") == 1);
  }
}

TEST_CASE("a host that is deleted before its carried status is taken over is cleaned and switched off like any other",
          "[host][annotations]") {
  const auto lost = GENERATE(range(0, 6));  // the write at which the coordinator dies
  CAPTURE(lost);
  World w(World::Admission::none);
  w.script.on = true;
  w.create(aHost(State::none)
               .online()
               .image("u")
               .annotated(api::annotation::paused)
               .annotated(carried, R"({"poweredOn":true,"provisioning":{"state":"provisioned","image":{"url":"u"}}})"));
  bringFinalizer(w);
  w.remove();
  w.settle(5min);
  REQUIRE(w.find());
  REQUIRE(w.writes == 0);
  w.dieAtWrite = lost;
  w.patch(R"({"metadata":{"annotations":{"baremetalhost.metal3.io/paused":null}}})");
  w.settle(5s);
  if (w.dead) {
    w.kill();
    w.start();
  }
  CHECK(w.vanishes(5min));
  CHECK(w.script.count("deprovision") > 0);
  CHECK(w.script.on == false);
  CHECK(std::ranges::count(w.eventReasons(), "PowerOffSkipped") == 0);
}

TEST_CASE("a carried status outlives a trouble that is told before it is taken over", "[host][annotations]") {
  World w(World::Admission::none);
  const std::string writes = "/baremetalhosts/a/status";
  w.failNext[writes] = 1'000'000;
  w.create(aHost(State::none)
               .online()
               .image("u")
               .annotated(carried, R"({"poweredOn":true,"provisioning":{"state":"provisioned","image":{"url":"u"}}})"));
  w.settle(3min);
  w.failNext[writes] = 1;  // the pass fails once more, and can be told of
  REQUIRE(w.reaches("provisioned"));
  w.settle(5min);
  const auto seen = w.statesSeen();
  CHECK(std::ranges::find(seen, "inspecting") == seen.end());
  CHECK(w.state() == "provisioned");
}

TEST_CASE("annotations that cannot be read do not use up a host's Events", "[host][annotations]") {
  auto builder = aHost(State::provisioned);
  for (int i = 0; i < 30; ++i) builder.annotated(fmt::format("reboot.metal3.io/{}", i), "{what");
  api::BareMetalHost it = builder;
  host::Journal journal;
  host::noteInvalidAnnotations(it, "", journal);
  CHECK(journal.events().size() == 3);

  journal = {};
  host::noteInvalidAnnotations(it, "the BMC is silent", journal);  // what the pass found wrong stands
  CHECK(journal.events().empty());
}

}  // namespace
}  // namespace ingot::tests
