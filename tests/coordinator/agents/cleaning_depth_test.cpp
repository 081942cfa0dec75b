// How deep an agent may clean: what the annotation says, and what it cannot say.
#include "coordinator/agents/cleaning_depth.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::coordinator::agents;
using bmc::EraseDepth;

namespace {

api::BareMetalHost hostWith(const std::string& depth) {
  api::BareMetalHost host;
  host.spec.bmc.address = "redfish://10.0.0.1";
  host.spec.automatedCleaningMode = "metadata";
  host.status.hardware.emplace();
  host.status.hardware->systemVendor.serialNumber = "S1";
  host.status.hardware->storage = {{.name = "Disk.0", .model = "m", .serialNumber = "A"},
                                   {.name = "Disk.1", .model = "m", .serialNumber = "B"}};
  if (!depth.empty()) host.metadata.annotations[std::string(cleaningDepthAnnotation)] = depth;
  return host;
}

bool mentionsAll(const std::string& text, std::initializer_list<std::string_view> words) {
  return std::ranges::all_of(words, [&](auto word) { return text.find(word) != std::string::npos; });
}

}  // namespace

TEST_CASE("a depth for all disks, and exceptions by serial number") {
  CHECK_FALSE(cleaningDepth(hostWith("")));
  CHECK(cleaningDepth(hostWith("crypto"))->depth == EraseDepth::crypto);
  const auto depth = cleaningDepth(hostWith(" full , A=crypto,WD=X=keep "));
  REQUIRE(depth);
  CHECK(depth->depth == EraseDepth::full);
  CHECK(depth->bySerial == std::map<std::string, EraseDepth>{{"A", EraseDepth::crypto}, {"WD=X", EraseDepth::keep}});
  const auto order = eraseOrder(hostWith("crypto"), *depth);
  CHECK(order.machineSerial == "S1");
  CHECK(order.known == std::vector<std::string>{"A", "B"});
}

TEST_CASE("an annotation that says something else is refused with what would be right") {
  for (const auto* wrong : {"shred", "", " ", "crypto,full", "A=full", "crypto,A=", "crypto,=full",
                            "crypto,A=full,A=keep", "keep", "crypto,"}) {
    INFO("'" << wrong << "'");
    auto host = hostWith("");
    host.metadata.annotations[std::string(cleaningDepthAnnotation)] = wrong;
    const auto why = whyNotErasable(host);
    CHECK(mentionsAll(why, {"metadata.annotations[ingot.dev/cleaning-depth]: '",
                            "; it is crypto or full, with exceptions by serial number"}));
  }
}

TEST_CASE("what an agent cannot erase is told before anything is deployed, naming the disks") {
  CHECK(whyNotErasable(hostWith("crypto")).empty());
  CHECK(mentionsAll(whyNotErasable(hostWith("")),
                    {"its disks A, B", "takes Ironic", "'disabled'", "ingot.dev/cleaning-depth=crypto"}));
  auto host = hostWith("crypto");
  host.spec.bmc.address = "ipmi://10.0.0.1";
  CHECK(mentionsAll(whyNotErasable(host), {"IPMI erases none"}));
  host = hostWith("crypto");
  host.status.hardware->storage[1].serialNumber = " ";
  CHECK(mentionsAll(whyNotErasable(host), {"no serial number of Disk.1 (m)"}));
  host = hostWith("crypto");
  host.status.hardware->storage.clear();
  CHECK(mentionsAll(whyNotErasable(host), {"its inspection found none"}));
  host = hostWith("crypto");
  host.status.hardware->systemVendor.serialNumber.clear();
  CHECK(mentionsAll(whyNotErasable(host), {"no serial number of the machine"}));
  host = hostWith("crypto");
  host.status.hardware.reset();
  CHECK(mentionsAll(whyNotErasable(host), {"by an inspection only"}));
}

TEST_CASE("what else is to be done when the disks are erased, and a word that is none of it") {
  auto host = hostWith("crypto");
  CHECK(cleaningSteps(host).empty());
  host.metadata.annotations[std::string(cleaningStepsAnnotation)] = " reset-boot-order,clear-sel , clear-sel";
  CHECK(eraseOrder(host, *cleaningDepth(host)).steps ==
        std::vector{bmc::CleaningStep::resetBootOrder, bmc::CleaningStep::clearLogs});
  CHECK(whyNotErasable(host).empty());
  for (const auto* wrong : {"", "clear-sel,", "clear-log", "clear-sel clear-sessions"}) {
    INFO("'" << wrong << "'");
    host.metadata.annotations[std::string(cleaningStepsAnnotation)] = wrong;
    CHECK(mentionsAll(whyNotErasable(host), {"metadata.annotations[ingot.dev/cleaning-steps]: '",
                                             "is no step; there are clear-sel, clear-sessions and reset-boot-order"}));
    CHECK_FALSE(stillOrders(host, {}));
  }
}
