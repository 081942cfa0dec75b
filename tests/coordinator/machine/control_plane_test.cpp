// spec/capm3.md §9.3, §11.1 and §11.2, spec/cluster-api.md §1.11 against an API: hosts that are kept for the machines
// of a control plane.
#include "tests/coordinator/machine/site.hpp"

#include "api/capm3/v1beta2/templates.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

using api::capm3::v1beta2::Metal3MachineTemplate;

const std::string kNodeReuse = "infrastructure.cluster.x-k8s.io/node-reuse";

kube::Resource planes(const std::string& kind, const std::string& plural) {
  return {.group = "controlplane.cluster.x-k8s.io", .version = "v1beta2", .kind = kind, .plural = plural};
}

json::Object definitionOf(const kube::Resource& resource) {
  const std::string singular = resource.plural.substr(0, resource.plural.size() - 1);
  return json::parse(
             fmt::format(R"({{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",)"
                         R"("metadata":{{"name":"{0}.{1}"}},"spec":{{"group":"{1}","scope":"Namespaced",)"
                         R"("names":{{"plural":"{0}","singular":"{2}","kind":"{3}"}},"versions":[{{"name":"v1beta2",)"
                         R"("served":true,"storage":true,"schema":{{"openAPIV3Schema":{{"type":"object",)"
                         R"("x-kubernetes-preserve-unknown-fields":true}}}}}}]}}}})",
                         resource.plural, resource.group, singular, resource.kind))
      .get_object();
}

// Where both kinds have the name of the template.
std::string inSpecOfSpec(const std::string& name) {
  return R"({"machineTemplate":{"spec":{"infrastructureRef":{"name":")" + name + R"("}}}})";
}
std::string inSpec(const std::string& name) {
  return R"({"machineTemplate":{"infrastructureRef":{"name":")" + name + R"("}}})";
}

class PlaneSite : public MachineSite {
 public:
  explicit PlaneSite(const kube::Resource& resource) : MachineSite({definitionOf(resource)}), resource_(resource) {
    Metal3MachineTemplate kept;
    kept.metadata = {.name = "t", .namespace_ = "metal"};
    kept.spec.nodeReuse = true;
    kept.spec.template_.spec.image = {.url = "http://images/os.raw", .checksum = "http://images/sums"};
    create(kept);
    addHost("h1");
  }

  void addPlane(const std::string& name, const std::string& spec) {
    const auto stored = createDocument(
        resource_, fmt::format(R"({{"apiVersion":"{}","kind":"{}","metadata":{{"name":"{}","namespace":"metal"}},)"
                               R"("spec":{}}})",
                               resource_.apiVersion(), resource_.kind, name, spec));
    uids_[name] = json::textAt(stored, {"metadata", "uid"});
  }
  // Stays in deletion.
  void retirePlane(const std::string& name) {
    const std::string held = R"({"metadata":{"finalizers":["kubeadm.controlplane.cluster.x-k8s.io"]}})";
    static_cast<void>(run(user().api().patch(resource_, {"metal", name}, kube::PatchType::merge, json::parse(held))));
    removePlane(name);
  }
  void removePlane(const std::string& name) { static_cast<void>(run(user().api().remove(resource_, {"metal", name}))); }

  // Stays until its Metal3Machine is gone, as Cluster API's manager wants it.
  void addPlaneMachine(const std::string& name, const std::string& plane, const std::string& kind = "") {
    addMachine(name);
    patch<Machine>(
        name, fmt::format(R"({{"metadata":{{"finalizers":["machine.cluster.x-k8s.io"],)"
                          R"("labels":{{"cluster.x-k8s.io/control-plane":""}},"ownerReferences":[{{"apiVersion":"{}",)"
                          R"("kind":"{}","name":"{}","uid":"{}","controller":true}}]}}}})",
                          resource_.apiVersion(), kind.empty() ? resource_.kind : kind, plane,
                          uids_.contains(plane) ? uids_.at(plane) : "none"));
    settle();
  }
  void provision(const std::string& name, const std::string& plane, const std::string& kind = "") {
    addPlaneMachine(name, plane, kind);
    state("h1", "provisioned");
    REQUIRE(consumer("h1") == name);
  }
  // Its owner reference to the control plane names this version.
  void nameVersion(const std::string& machine, const std::string& version) {
    auto owner = find<Machine>(machine)->metadata.ownerReferences.at(0);
    patch<Machine>(machine, fmt::format(R"({{"metadata":{{"ownerReferences":[{{"apiVersion":"{}/{}","kind":"{}",)"
                                        R"("name":"{}","uid":"{}","controller":true}}]}}}})",
                                        resource_.group, version, owner.kind, owner.name, owner.uid));
    settle();
  }
  void depart(const std::string& name) {
    removeMachine(name);
    settle();
    state("h1", "available");
    settle(70s);
  }
  [[nodiscard]] std::string keptFor() {
    const auto host = this->host("h1");
    const std::string* label = host.metadata.label(kNodeReuse);
    return label == nullptr ? "" : *label;
  }

 private:
  kube::Resource resource_;
  std::map<std::string, std::string> uids_;
};

}  // namespace

TEST_CASE("§11.2, cluster-api §1.11 the host of a control plane goes to its next machine, and to no other plane's",
          "[machine][reuse]") {
  const auto resource =
      GENERATE(planes("KubeadmControlPlane", "kubeadmcontrolplanes"), planes("RKE2ControlPlane", "rke2controlplanes"));
  PlaneSite site(resource);
  site.addPlane("cp", GENERATE(inSpecOfSpec("t"), inSpec("t")));
  site.addPlane("other", inSpec("t"));
  site.provision("m1", "cp");
  site.depart("m1");
  REQUIRE_FALSE(site.find<Metal3Machine>("m1"));
  CHECK(site.keptFor() == "cp-cp");
  CHECK(site.host("h1").spec.consumerRef->kind == "Cluster");
  CHECK(site.host("h1").spec.consumerRef->name == "c1");

  site.addPlaneMachine("stranger", "other");
  CHECK(site.hostOf("stranger").empty());
  site.addPlaneMachine("m2", "cp");
  site.settle(40s);
  CHECK(site.hostOf("m2") == "h1");
  CHECK(site.keptFor().empty());
  CHECK_THAT(site.condition("m2", kAssociate),
             Catch::Contains("AssociateBareMetalHostViaNodeReuseSuccess: host h1, which is kept for cp-cp"));
}

TEST_CASE("§11.1 a host is kept for nobody where no template asks for it", "[machine][reuse]") {
  PlaneSite site(planes("KubeadmControlPlane", "kubeadmcontrolplanes"));
  SECTION("the control plane names none") {
    site.addPlane("cp", "{}");
    site.provision("m1", "cp");
  }
  SECTION("the template is gone") {
    site.addPlane("cp", inSpec("gone"));
    site.provision("m1", "cp");
  }
  SECTION("the control plane is gone") {
    site.addPlane("cp", inSpec("t"));
    site.provision("m1", "cp");
    site.removePlane("cp");
  }
  SECTION("the control plane is in deletion") {
    site.addPlane("cp", inSpec("t"));
    site.provision("m1", "cp");
    site.retirePlane("cp");
  }
  SECTION("its kind is not served any more") { site.provision("m1", "cp", "GoneControlPlane"); }
  site.depart("m1");
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
  CHECK(site.consumer("h1").empty());
  CHECK(site.keptFor().empty());
}

TEST_CASE("§8.4 a control plane that may not be read holds the machine, and is told", "[machine][reuse]") {
  PlaneSite site(planes("KubeadmControlPlane", "kubeadmcontrolplanes"));
  site.addPlane("cp", inSpec("t"));
  site.provision("m1", "cp");
  site.forbidden = "/kubeadmcontrolplanes/cp";
  site.forbidsReads = true;
  site.depart("m1");
  CHECK_THAT(site.condition("m1", kMetaData),
             Catch::StartsWith("False/DeletionFailed: failed to delete Metal3Machine: ") &&
                 Catch::Contains("KubeadmControlPlane metal/cp"));
  CHECK(site.consumer("h1") == "m1");
  site.forbidden.clear();
  site.settle(3min);
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
  CHECK(site.keptFor() == "cp-cp");
}

TEST_CASE("§11.1 a control plane is found in whatever version it is served", "[machine][reuse]") {
  PlaneSite site(planes("KubeadmControlPlane", "kubeadmcontrolplanes"));
  site.addPlane("cp", inSpec("t"));
  site.provision("m1", "cp");
  site.nameVersion("m1", "v1beta1");
  site.depart("m1");
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
  CHECK(site.keptFor() == "cp-cp");
}

TEST_CASE("§11.1 a control plane that is away for a moment is not gone", "[machine][reuse]") {
  PlaneSite site(planes("KubeadmControlPlane", "kubeadmcontrolplanes"));
  site.addPlane("cp", inSpec("t"));
  site.provision("m1", "cp");
  std::vector<std::string> away{"/kubeadmcontrolplanes/cp"};
  int status = 404;
  SECTION("it alone") {}
  SECTION("with all of its group, for one look") { away.emplace_back("/apis/controlplane.cluster.x-k8s.io"); }
  SECTION("and nobody tells what is served") {
    away = {"/apis/controlplane.cluster.x-k8s.io"};
    status = GENERATE(403, 500, 0);
    site.nameVersion("m1", "v1beta1");
  }
  site.instead = [&](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
    const auto is = [&](const std::string& path) { return request.path().ends_with(path); };
    if (!std::ranges::any_of(away, is)) return std::nullopt;
    return ApiSite::Answer{status, "404 page not found"};
  };
  site.removeMachine("m1");
  site.settle();
  site.state("h1", "available");
  site.settle(15s);
  CHECK(site.consumer("h1") == "m1");
  site.instead = nullptr;
  site.settle(1min);
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
  CHECK(site.keptFor() == "cp-cp");
}

TEST_CASE("§11.1 a Machine whose owner's kind is none asks the API for nothing else", "[machine][reuse]") {
  PlaneSite site(planes("KubeadmControlPlane", "kubeadmcontrolplanes"));
  site.addPlane("cp", inSpec("t"));
  std::vector<std::string> asked;
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (request.target.contains("controlplane")) asked.push_back(request.target);
    co_return;
  };
  site.provision("m1", "cp",
                 GENERATE("kubeadmcontrolplanes?watch=1&timeoutSeconds=600&x=", "kubeadmcontrolplanes/cp?x=",
                          "x/../../../../../../api/v1/namespaces/metal/secret"));
  site.depart("m1");
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
  CHECK(site.keptFor().empty());
  CHECK(asked.empty());
}
