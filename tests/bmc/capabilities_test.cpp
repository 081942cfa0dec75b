// What the BMC of a host can do, by the protocol that it speaks.
#include "bmc/capability/media.hpp"
#include "tests/bmc/redfish_bench.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace ingot;
using namespace ingot::tests;
using bmc::Capability;
using bmc::Protocol;

TEST_CASE("a host has the capabilities of the protocol that its address names") {
  RedfishBench bench;
  const auto* address = GENERATE("redfish://bmc.example", "idrac-virtualmedia+http://bmc.example", "ipmi://bmc.example",
                                 "libvirt://bmc.example");
  INFO(address);
  const auto host = bench.open("s3cret", address);
  for (const auto capability : bmc::everyCapability) {
    INFO(toText(capability));
    CHECK(host->has(capability) == has(bmc::parseAddress(address).traits().protocol, capability));
  }
  bench.run(host->close());
}

TEST_CASE("who uses what a host has not is told which that is, and the BMC is asked nothing") {
  RedfishBench bench;
  const auto host = bench.open("s3cret", "ipmi://bmc.example");
  CHECK_FALSE(host->media);
  CHECK(bench.failureOf([&] { bench.run(host->media->ejectMedia(bmc::Lane::reconcile, {})); }) ==
        bmc::Error::Code::unsupported);
  CHECK(bench.text == "the protocol of this BMC has no virtual media");
  bench.run(host->close());
}

TEST_CASE("each capability has a name of its own, and one of the two lists of each protocol") {
  std::set<std::string_view> names;
  for (const auto capability : bmc::everyCapability) {
    names.insert(toText(capability));
    CHECK_FALSE(toText(capability).empty());
  }
  CHECK(names.size() == bmc::everyCapability.size());
  CHECK(bmc::missingIn(Protocol::redfish).empty());
  CHECK(bmc::missingIn(Protocol::ipmi) == "virtual media, pushed events, erasure of drives, cleaning steps");
  CHECK(bmc::capabilitiesOf(Protocol::ipmi) == "power, identity, health, inventory, sensors, logs, boot device");
}
