#include "coordinator/host/intake.hpp"

#include "tests/coordinator/host/hosts.hpp"
#include "tests/coordinator/host/memory_cluster.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace coordinator::host;

struct Door {
  explicit Door(api::BareMetalHost start) : it(std::move(start)) {}
  Taken take() {
    journal = {};
    return loop.run(takeIn({it, cluster, journal, loop.clock.wall(), base::Log::silent()}));
  }
  bool pass() { return take() == Taken::unsaved; }
  [[nodiscard]] bool has(std::string_view annotation) const {
    return it.metadata.annotations.contains(std::string(annotation));
  }
  Loop loop;
  MemoryCluster cluster;
  Journal journal;
  api::BareMetalHost it;
};

TEST_CASE("a status carried over from another cluster is restored, then its annotation goes", "[host][intake]") {
  Door d(aHost(State::none)
             .annotated(carried, R"({"poweredOn":true,"unknown":1,"provisioning":{"state":"provisioned","ID":"n"}})"));
  CHECK(d.pass());
  CHECK(d.it.status.provisioning.state == "provisioned");
  CHECK(d.it.status.lastUpdated);  // or it would be restored for ever
  CHECK(d.has(carried));           // the status is saved before the annotation goes
  CHECK(d.pass());
  CHECK_FALSE(d.has(carried));
  CHECK_FALSE(d.pass());
}

TEST_CASE("a status that was written here before is not overwritten", "[host][intake]") {
  Door d(aHost(State::available).annotated(carried, R"({"provisioning":{"state":"provisioned"}})"));
  d.it.status.lastUpdated = d.loop.clock.wall();
  CHECK(d.pass());
  CHECK(d.it.status.provisioning.state == "available");
  CHECK_FALSE(d.has(carried));
}

TEST_CASE("HardwareData wins over the hardware of a carried status", "[host][intake]") {
  Door d(aHost(State::none).annotated(carried, R"({"hardware":{"hostname":"old"}})"));
  d.cluster.hardware.emplace().hostname = "new";
  d.pass();
  CHECK(d.it.status.hardware->hostname == "new");
}

TEST_CASE("a carried status that says nothing we know is refused in plain words, and holds the host back",
          "[host][intake]") {
  const auto [value, why] = GENERATE(std::pair{"{nonsense", "its value \"{nonsense\" cannot be read: "},
                                     std::pair{R"({"provisioning":{"state":"levitating"}})",
                                               "there is no provisioning state \"levitating\"; right would be"},
                                     std::pair{R"({"provisioning":"provisioned"})", "cannot be read: "});
  Door d(aHost(State::none).annotated(carried, value));
  CHECK(d.take() == Taken::nothing);
  CHECK(d.has(carried));
  CHECK(d.it.status.provisioning.state.empty());
  REQUIRE(d.journal.events().size() == 1);
  CHECK(d.journal.events().front().reason == "InvalidAnnotationValue");
  CHECK_THAT(
      d.journal.events().front().message,
      Catch::StartsWith("annotation baremetalhost.metal3.io/status holds the host back") && Catch::Contains(why));
  CHECK(d.it.status.errorMessage == d.journal.events().front().message);

  CHECK(d.take() == Taken::nothing);
  CHECK(d.journal.events().empty());  // it is told once
  SECTION("it is taken over once it is corrected") {
    d.it.metadata.annotations[std::string(carried)] = R"({"provisioning":{"state":"provisioned"}})";
    CHECK(d.pass());
    CHECK(d.it.status.provisioning.state == "provisioned");
    CHECK(d.it.status.errorMessage.empty());
  }
  SECTION("without it the host is a new one") {
    d.it.metadata.annotations.erase(std::string(carried));
    CHECK(d.take() == Taken::everything);
  }
  SECTION("a deletion does not wait for it, and says what nobody has done") {
    d.it.metadata.deletionTimestamp = d.loop.clock.wall();
    CHECK(d.pass());
    CHECK_FALSE(d.has(carried));
    REQUIRE(d.journal.events().size() == 2);
    CHECK(d.journal.events().front().reason == "DeprovisioningSkipped");
    CHECK_THAT(d.journal.events().front().message,
               Catch::Contains("the status that it carried in annotation baremetalhost.metal3.io/status could not be "
                               "taken over (\"" +
                               std::string(value)));
    CHECK(d.journal.events().back().reason == "PowerOffSkipped");
    CHECK_FALSE(d.pass());
    CHECK(d.journal.events().empty());
  }
}

TEST_CASE("a host that is deleted takes over its carried status too: its machine may be in use", "[host][intake]") {
  Door d(aHost(State::none)
             .annotated(carried, R"({"poweredOn":true,"provisioning":{"state":"provisioned","ID":"n"}})")
             .beingDeleted());
  CHECK(d.pass());
  CHECK(d.it.status.provisioning.state == "provisioned");
  CHECK(d.it.status.provisioning.ID == "n");
  CHECK(d.has(carried));  // until the status is saved it is the only record of the machine
  CHECK(d.pass());
  CHECK_FALSE(d.has(carried));
  CHECK_FALSE(d.pass());
}

TEST_CASE("hand-written hardware details are taken once, then their annotation goes", "[host][intake]") {
  Door d(aHost(State::inspecting).annotated(details, R"({"hostname":"written"})"));
  CHECK(d.pass());
  CHECK(d.it.status.hardware->hostname == "written");
  CHECK(d.journal.events().front().reason == "UpdateHardwareDetails");
  CHECK(d.has(details));
  d.pass();
  CHECK_FALSE(d.has(details));
  CHECK(d.journal.events().empty());  // it was not ignored
}

TEST_CASE("details that inspection knows better are ignored, which is said", "[host][intake]") {
  Door d(aHost(State::available).annotated(details, R"({"hostname":"written"})"));
  d.it.status.hardware.emplace().hostname = "found";
  CHECK(d.pass());
  CHECK(d.it.status.hardware->hostname == "found");
  CHECK(d.journal.events().front().reason == "RemoveAnnotation");
}

TEST_CASE("a misspelt member of hand-written details is no loss: they stay to be corrected", "[host][intake]") {
  Door d(aHost(State::inspecting).annotated(details, R"({"hostnam":"written"})"));
  CHECK_FALSE(d.pass());
  CHECK(d.has(details));
  CHECK_FALSE(d.it.status.hardware);
}

TEST_CASE("HardwareData that the API refuses, or fails to change, holds up nobody", "[host][intake]") {
  const auto code = GENERATE(kube::Error::Code::forbidden, kube::Error::Code::invalid, kube::Error::Code::internal);
  Door d(aHost(State::deprovisioning).beingDeleted().with([](auto& h) { h.status.hardware.emplace().cpu.arch = "a"; }));
  d.cluster.hardwareRefused = code;
  CHECK_FALSE(d.pass());
  CHECK(d.journal.events().empty());  // the last step tries again, and tells it
  Door away(aHost(State::deleting).beingDeleted());
  away.cluster.hardwareRefused = kube::Error::Code::unavailable;
  CHECK_THROWS_AS(away.pass(), kube::Error);
}

TEST_CASE("nothing is learnt of the hardware of a host that only has to be let go", "[host][intake]") {
  Door d(aHost(State::deleting).beingDeleted().with([](auto& h) { h.spec.inspectionMode = "disabled"; }));
  d.cluster.hardware.emplace().hostname = "new";
  d.it.metadata.annotations["inspect.metal3.io/hardwaredetails"] = R"({"hostname":"by-hand"})";
  CHECK_FALSE(d.pass());  // a save of the status, which may fail, would come before the finalizer's removal
  CHECK(d.cluster.hardwareReleased);
}

TEST_CASE("without inspection HardwareData is the word on the hardware", "[host][intake]") {
  Door d(aHost(State::available).with([](auto& h) { h.spec.inspectionMode = "disabled"; }));
  d.it.status.hardware.emplace().hostname = "old";
  d.cluster.hardware.emplace().hostname = "new";
  CHECK(d.pass());
  CHECK(d.it.status.hardware->hostname == "new");
}

TEST_CASE("the architecture is filled in from what inspection found", "[host][intake]") {
  Door d(aHost(State::preparing));
  d.cluster.hardware.emplace().cpu.arch = "aarch64";
  d.it.status.hardware = d.cluster.hardware;
  CHECK_FALSE(d.pass());
  CHECK(d.it.spec.architecture == "aarch64");
}

TEST_CASE("the finalizer is on the object before any work begins", "[host][intake]") {
  const auto bare = [](auto& h) { h.metadata.finalizers.clear(); };
  Door fresh(aHost(State::none).with(bare));
  CHECK_FALSE(fresh.pass());  // nothing but writes to the object follow in this state
  CHECK(fresh.it.metadata.finalizers.size() == 1);
  Door stripped(aHost(State::available).with(bare));
  CHECK(stripped.pass());
  Door leaving(aHost(State::deleting).with(bare).beingDeleted());
  CHECK_FALSE(leaving.pass());
  CHECK(leaving.it.metadata.finalizers.empty());
}

TEST_CASE("HardwareData is let go as soon as the host is being deleted", "[host][intake]") {
  Door d(aHost(State::provisioned).beingDeleted());
  d.pass();
  CHECK(d.cluster.hardwareReleased);
}

}  // namespace
}  // namespace ingot::tests
