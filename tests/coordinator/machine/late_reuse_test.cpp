// spec/capm3.md §11 (7): whether a host is kept for the next machine is what the API has, while watches are behind.
#include "tests/coordinator/machine/site.hpp"

#include "api/capm3/v1beta2/templates.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

using api::capi::MachineSet;
using api::capm3::v1beta2::Metal3MachineTemplate;

const std::string kKept = "infrastructure.cluster.x-k8s.io/node-reuse";

void addTemplate(MachineSite& site, const std::string& name, bool keeps) {
  Metal3MachineTemplate made;
  made.metadata = {.name = name, .namespace_ = "metal"};
  made.spec.nodeReuse = keeps;
  made.spec.template_.spec.image = {.url = "http://images/os.raw", .checksum = "http://images/sums"};
  site.create(made);
}

// Of MachineDeployment md; it owns Machine m1.
void addSet(MachineSite& site, const std::string& ofTemplate) {
  MachineSet set;
  set.metadata = {.name = "set", .namespace_ = "metal", .finalizers = {"cluster.x-k8s.io/machineset"}};
  set.metadata.ownerReferences = {
      {.apiVersion = "cluster.x-k8s.io/v1beta2", .kind = "MachineDeployment", .name = "md", .uid = "md-uid"}};
  set.spec.clusterName = "c1";
  set.spec.template_.spec.clusterName = "c1";
  set.spec.template_.spec.infrastructureRef = {
      .apiGroup = "infrastructure.cluster.x-k8s.io", .kind = "Metal3MachineTemplate", .name = ofTemplate};
  const auto stored = site.create(set);
  site.patch<Machine>("m1",
                      fmt::format(R"({{"metadata":{{"ownerReferences":[{{"apiVersion":"cluster.x-k8s.io/v1beta2",)"
                                  R"("kind":"MachineSet","name":"set","uid":"{}"}}]}}}})",
                                  stored.metadata.uid));
}

// A process whose watches of this kind tell nothing for an hour.
void startBehind(MachineSite& site, const std::string& plural) {
  site.kill();
  site.heldWatch = "/" + plural;
  site.watchHeldFor = 1h;
  site.start();
  site.settle();
}

// Machine m1 goes, and its host is free. Whether that is kept, and for md.
bool isKeptAfterRelease(MachineSite& site) {
  site.removeMachine("m1");
  site.settle();
  site.state("h1", "available");
  site.settle(1min);
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
  const auto host = site.host("h1");
  CHECK(host.spec.consumerRef.has_value() == host.metadata.labels.contains(kKept));
  return host.metadata.labels.contains(kKept) && host.metadata.labels.at(kKept) == "md-md";
}

}  // namespace

TEST_CASE("§11 (7) a template that was changed a moment ago says whether a host is kept", "[machine][reuse]") {
  const bool keeps = GENERATE(false, true);
  CAPTURE(keeps);
  MachineSite site;
  site.deploy();
  addTemplate(site, "t", !keeps);
  addSet(site, "t");
  site.settle();
  startBehind(site, "metal3machinetemplates");
  site.patch<Metal3MachineTemplate>("t", fmt::format(R"({{"spec":{{"nodeReuse":{}}}}})", keeps));
  CHECK(isKeptAfterRelease(site) == keeps);
}

TEST_CASE("§11 (7) a MachineSet that no watch has told of says whether a host is kept", "[machine][reuse]") {
  MachineSite site;
  site.deploy();
  addTemplate(site, "keeps", true);
  addTemplate(site, "frees", false);
  SECTION("one that has come") {
    startBehind(site, "machinesets");
    addSet(site, "keeps");
    CHECK(isKeptAfterRelease(site));
  }
  SECTION("one that has another template now") {
    addSet(site, "frees");
    startBehind(site, "machinesets");
    site.patch<MachineSet>("set", R"({"spec":{"template":{"spec":{"infrastructureRef":{"name":"keeps"}}}}})");
    CHECK(isKeptAfterRelease(site));
  }
  SECTION("one that goes") {
    addSet(site, "keeps");
    startBehind(site, "machinesets");
    site.remove<MachineSet>("set");
    CHECK_FALSE(isKeptAfterRelease(site));
  }
}

TEST_CASE("§11 (7) a host is not let go while the API does not say whether it is kept", "[machine][reuse]") {
  MachineSite site;
  site.deploy();
  addTemplate(site, "t", true);
  addSet(site, "t");
  site.removeMachine("m1");
  site.settle();
  const std::string path = GENERATE("/metal3machinetemplates/t", "/machinesets/set");
  site.instead = [&](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
    if (request.method != "GET" || !request.path().ends_with(path)) return std::nullopt;
    return ApiSite::Answer{403, R"({"kind":"Status","code":403,"reason":"Forbidden","message":"not now"})"};
  };
  site.state("h1", "available");
  site.settle(1min);
  CHECK(site.consumer("h1") == "m1");
  CHECK_THAT(site.condition("m1", kMetaData), Catch::Contains("it cannot be told whether"));
  site.instead = nullptr;
  site.settle(1min);
  CHECK(site.host("h1").metadata.labels[kKept] == "md-md");
}
