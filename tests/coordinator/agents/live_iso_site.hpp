// A site beside Ironic (or without it, to compare): one machine with a virtual CD drive, whose host asks for an agent
// to boot it.
#pragma once

#include "tests/bmc/fake_drives.hpp"
#include "tests/coordinator/agents/agents_only.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {

constexpr auto diskImage =
    R"({"spec":{"online":true,"image":{"url":"http://images/disk.raw","checksum":"5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8","checksumType":"sha256","format":"raw"}}})";

struct LiveIsoSite : AgentsOnly {
  explicit LiveIsoSite(std::string by = "agent", With backend = With::ironic)
      : AgentsOnly(backend), bootBy(std::move(by)), hasIronic(backend == With::ironic) {
    bmcScheme = "redfish-virtualmedia";
  }

  void rest(const std::string& patch = "") {
    AgentsOnly::rest();
    if (hasIronic) ironic.put("metal~a", ironic::State::available);
    if (!patch.empty()) patchHost("a", patch);
    if (!bootBy.empty())
      patchHost("a", fmt::format(R"({{"metadata":{{"annotations":{{"ingot.dev/boot-by":"{}"}}}}}})", bootBy));
    pass(5s);
    forgetJournals();
  }
  void run() {
    rest();
    provision();
    REQUIRE(becomes("provisioned"));
    pass(10s);
    forgetJournals();
  }
  void beginUntil(const std::string& word) {  // is written to the BMC
    rest();
    provision();
    REQUIRE(until([&] { return count(word) > 0; }, 5min));
  }
  void forgetJournals() {
    machine().journal.clear();
    ironic.clearJournal();
  }
  void ask() { patchHost("a", R"({"metadata":{"annotations":{"ingot.dev/boot-by":"agent"}}})"); }
  void withdraw() { patchHost("a", R"({"metadata":{"annotations":{"ingot.dev/boot-by":null}}})"); }

  json::Object& node() { return ironic.record("metal~a"); }
  ironic::State nodeState() { return ironic.state("metal~a"); }
  std::string maintenanceReason() { return json::textAt(node(), {"maintenance_reason"}); }
  bool isLent() { return json::boolAt(node(), {"maintenance"}) == true; }
  std::string mark() { return json::textAt(node(), {"extra", "ingot_live_iso"}); }
  void setMaintenance(const std::string& reason) {  // as an operator does; "": ends it
    node()["maintenance"] = !reason.empty();
    node()["maintenance_reason"] = reason.empty() ? json::Value() : json::Value(reason);
  }
  std::size_t count(const std::string& word) {
    return static_cast<std::size_t>(std::ranges::count_if(
        machine().journal, [&](const auto& write) { return write.find(word) != std::string::npos; }));
  }

  // What is in the drive when the host comes up from off; "never": it does not.
  std::string mediaAtPowerOn() {
    std::string found = "never";
    static_cast<void>(until([&] {
      if (machine().powerState == "On") found = machine().media;
      return found != "never";
    }));
    return found;
  }

  std::string bootBy;
  bool hasIronic;
};

}  // namespace ingot::tests
