// spec/capm3.md §11, its tables: which power a host is left with, and in which states it is waited for.
#include "coordinator/machine/release.hpp"

#include "api/bmh/annotations.hpp"
#include "api/bmh/carried_status.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <catch2/catch.hpp>

using namespace ingot;
using coordinator::machine::isStillInUse;
using coordinator::machine::letGo;
using coordinator::machine::stopHost;
using coordinator::machine::whyInUse;

TEST_CASE("§11 (3) a host stays on when it may not be switched off, or fast track cleans it", "[machine][release]") {
  struct Row {
    bool disablePowerOff, fastTrack;
    std::string cleaning;
    bool online;
  };
  const auto row = GENERATE(values<Row>({
      {true, false, "", true},
      {true, false, "disabled", true},
      {true, true, "disabled", true},
      {false, true, "", true},
      {false, true, "metadata", true},
      {false, true, "disabled", false},
      {false, false, "", false},
      {false, false, "metadata", false},
      {false, false, "disabled", false},
  }));
  CAPTURE(row.disablePowerOff, row.fastTrack, row.cleaning);
  for (const bool before : {true, false}) {
    api::BareMetalHost host;
    host.spec.online = before;
    host.spec.disablePowerOff = row.disablePowerOff;
    host.spec.automatedCleaningMode = row.cleaning;
    stopHost(host, {}, row.fastTrack);
    CHECK(host.spec.online == row.online);
  }
}

TEST_CASE("§11 (5) a host is waited for in the states in which it runs or cleans something", "[machine][release]") {
  struct Row {
    std::string state;
    bool whileOff, whileOn;
  };
  const auto row = GENERATE(values<Row>({
      {"", false, false},
      {"unmanaged", false, false},
      {"registering", false, false},
      {"match profile", false, false},
      {"inspecting", false, false},
      {"ready", false, false},
      {"available", false, false},
      {"externally provisioned", false, true},
      {"preparing", true, true},
      {"provisioning", true, true},
      {"provisioned", true, true},
      {"deprovisioning", true, true},
      {"powering off before delete", true, true},
      {"deleting", true, true},
      {"a state of a later version", true, true},
  }));
  CAPTURE(row.state);
  api::BareMetalHost host;
  host.status.provisioning.state = row.state;
  CHECK(isStillInUse(host) == row.whileOff);
  host.status.poweredOn = true;
  CHECK(isStillInUse(host) == row.whileOn);
}

TEST_CASE("§11 (5) of a host whose status was not taken over yet the one that it carries counts",
          "[machine][release]") {
  struct Row {
    std::string carried;
    bool isInUse;
  };
  const auto row = GENERATE(values<Row>({
      {R"({"provisioning":{"state":"provisioned"}})", true},
      {R"({"Provisioning":{"State":"deprovisioning"}})", true},
      {R"({"provisioning":{"state":"externally provisioned"},"poweredOn":true})", true},
      {R"({"provisioning":{"state":"externally provisioned"},"poweredOn":false})", false},
      {R"({"provisioning":{"state":"available"}})", false},
      {"{}", false},
      {R"({"provisioning":{"state":"future"}})", true},
      {"garbage", true},
      {"", true},
  }));
  CAPTURE(row.carried);
  api::BareMetalHost host;
  host.metadata.annotations["baremetalhost.metal3.io/status"] = row.carried;
  CHECK(isStillInUse(host) == row.isInUse);
  host.status.lastUpdated = base::WallTime{};  // a copy of what there is
  host.status.provisioning.state = "available";
  CHECK_FALSE(isStillInUse(host));
}

TEST_CASE(
    "§11 (5) a carried status that the API refused tells nothing, until it is corrected; any other trouble does not "
    "count against it",
    "[machine][release]") {
  const std::string filler(GENERATE(0, 500), ' ');
  const auto text = [&](const std::string& status) {
    return fmt::format(R"({{{}"provisioning":{{"state":"available"}},"operationalStatus":"{}"}})", filler, status);
  };
  api::BareMetalHost host;
  std::string& carried = host.metadata.annotations["baremetalhost.metal3.io/status"];
  carried = text("levitating");
  host.status.errorMessage = api::notTakenByApi(carried) + ": no such operationalStatus";
  CHECK(isStillInUse(host));
  carried = text("OK");
  CHECK_FALSE(isStillInUse(host));
  host.status.errorMessage = "the API is silent";
  CHECK_FALSE(isStillInUse(host));
  carried = "garbage";
  CHECK(isStillInUse(host));
}

TEST_CASE("what a host is waited for names whatever holds it", "[machine][release]") {
  api::BareMetalHost host;
  host.metadata.name = "h1";
  host.status.provisioning.state = "deprovisioning";
  CHECK(whyInUse(host) == "h1 is deprovisioning");
  host.status.errorMessage = "the BMC is silent";
  CHECK(whyInUse(host) == "h1 is deprovisioning (the BMC is silent)");
  for (const api::Hold& hold : api::kHolds) {
    host.metadata.annotations = {{std::string(hold.annotation), "x"}};
    CHECK(whyInUse(host) == fmt::format("h1 is deprovisioning (the BMC is silent); nothing is done to that host before "
                                        "its annotation {} is removed",
                                        hold.annotation));
  }
}

TEST_CASE("§11 (2) a host is left without what it ran, and with references that the machine did not make",
          "[machine][release]") {
  const auto stopped = [](const api::capm3::v1beta2::Metal3Machine& machine) {
    api::BareMetalHost host;
    host.spec.image = api::Image{.url = "http://images/os.raw"};
    host.spec.customDeploy = api::CustomDeploy{.method = "install"};
    host.spec.userData = api::SecretReference{.name = "user"};
    host.spec.metaData = api::SecretReference{.name = "meta"};
    host.spec.networkData = api::SecretReference{.name = "network"};
    stopHost(host, machine, false);
    CHECK_FALSE((host.spec.image || host.spec.customDeploy || host.spec.userData));
    return fmt::format("{}{}", host.spec.metaData ? "metaData " : "", host.spec.networkData ? "networkData" : "");
  };
  api::capm3::v1beta2::Metal3Machine machine;
  CHECK(stopped(machine) == "metaData networkData");
  machine.status.metaData = api::SecretReference{.name = "meta"};
  CHECK(stopped(machine) == "networkData");
  machine.status.networkData = api::SecretReference{.name = "network"};
  CHECK(stopped(machine).empty());
  machine.status = {};
  machine.metadata.name = "m1";
  machine.spec.dataTemplate = {.name = "dt"};
  CHECK(stopped(machine) == "metaData networkData");  // nothing of them is the machine's
  SECTION("that were given to a machine which told the host nothing yet") {
    machine.spec.metaData = machine.status.metaData = api::SecretReference{.name = "given"};
    CHECK(stopped(machine) == "metaData networkData");
  }
  SECTION("of a machine that was given others since it told the host what to run") {
    machine.status.userData = api::SecretReference{.name = "user"};
    machine.spec.metaData = machine.status.metaData = api::SecretReference{.name = "given"};
    CHECK(stopped(machine) == "networkData");
  }
}

TEST_CASE("§11 (2), §21 Q16 what was rendered for a machine is known by its name when the status is lost",
          "[machine][release]") {
  struct Row {
    std::string metaData, networkData;
    bool hasTemplate;
    std::string left;
  };
  const auto row = GENERATE(values<Row>({
      {"m1-metadata", "m1-networkdata", true, ""},
      {"m1-metadata", "racks", true, "racks"},
      {"labels", "m1-networkdata", true, "labels"},
      {"m2-metadata", "m1-metadata", true, "m2-metadata m1-metadata"},
      {"m1-metadata", "racks", false, "m1-metadata racks"},
  }));
  CAPTURE(row.metaData, row.networkData, row.hasTemplate);
  api::capm3::v1beta2::Metal3Machine machine;
  machine.metadata.name = "m1";
  if (row.hasTemplate) machine.spec.dataTemplate = {.name = "dt"};
  api::BareMetalHost host;
  host.spec.metaData = api::SecretReference{.name = row.metaData};
  host.spec.networkData = api::SecretReference{.name = row.networkData};
  stopHost(host, machine, false);
  std::vector<std::string> left;
  for (const auto& one : {host.spec.metaData, host.spec.networkData})
    if (one) left.push_back(one->name);
  CHECK(fmt::format("{}", fmt::join(left, " ")) == row.left);
}

TEST_CASE("§11 (6)-(8), §21 Q17 a host that is let go has no trace of its machine, or is kept under a name",
          "[machine][release]") {
  api::BareMetalHost host;
  host.metadata.namespace_ = "metal";
  host.metadata.labels = {{"cluster.x-k8s.io/cluster-name", "c1"}, {"rack", "7"}};
  host.metadata.annotations = {{"baremetalhost.metal3.io/paused", "metal3.io/capm3"},
                               {"clusterctl.cluster.x-k8s.io/block-move", ""}};
  host.spec.consumerRef = kube::ObjectReference{.kind = "Metal3Machine", .name = "m1"};
  SECTION("for anybody") {
    letGo(host, "c1", "");
    CHECK_FALSE(host.spec.consumerRef);
    CHECK(host.metadata.labels == std::map<std::string, std::string>{{"rack", "7"}});
  }
  SECTION("for the next machine of the same owner") {
    letGo(host, "c1", "md-workers");
    CHECK(host.spec.consumerRef ==
          kube::ObjectReference{
              .kind = "Cluster", .namespace_ = "metal", .name = "c1", .apiVersion = "cluster.x-k8s.io/v1beta2"});
    CHECK(host.metadata.labels == std::map<std::string, std::string>{
                                      {"infrastructure.cluster.x-k8s.io/node-reuse", "md-workers"}, {"rack", "7"}});
  }
  SECTION("of another cluster by now") {
    letGo(host, "c2", "");
    CHECK(host.metadata.labels.contains("cluster.x-k8s.io/cluster-name"));
  }
  CHECK(host.metadata.annotations.empty());
}
