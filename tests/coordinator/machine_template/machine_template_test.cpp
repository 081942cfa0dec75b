// Metal3MachineTemplates and the machines that were made from them (spec/capm3.md §14).
#include "coordinator/machine_template/controllers.hpp"

#include "api/capm3/names.hpp"
#include "api/crd/crd.hpp"
#include "api/kinds/kinds.hpp"
#include "tests/support/api_site.hpp"
#include "tests/support/passes.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using api::capm3::v1beta2::Metal3Machine;
using api::capm3::v1beta2::Metal3MachineTemplate;

const std::string kPaused{api::capm3::annotation::paused};

std::vector<json::Object> definitions() {
  auto all = api::crdsOf(api::KindSet::clusterApi);
  all.push_back(api::crdOf<api::capi::Cluster>());
  return all;
}

class TemplateSite : public ApiSite {
 public:
  explicit TemplateSite(std::string watchFilter = "", const kube::Unreadable& unreadable = {})
      : ApiSite(definitions()),
        client_(kube::connect(loop.runtime, network(), {.server = kProcess})),
        caches_(loop.runtime, *client_, {.unreadable = unreadable}),
        controllers_(loop.runtime,
                     {.client = *client_, .page = page_, .caches = caches_, .watchFilter = std::move(watchFilter)}),
        tasks_(loop.runtime.executor, loop.runtime.log) {
    kube::start(tasks_, controllers_.managed());
  }
  ~TemplateSite() { run(tasks_.close()); }

  void addTemplate(const std::string& mode, const std::map<std::string, std::string>& labels = {}) {
    Metal3MachineTemplate made;
    made.metadata = {.name = "workers", .namespace_ = "metal", .labels = labels};
    made.spec.template_.spec.image = {.url = "http://images/os.raw", .checksum = "http://images/sums"};
    made.spec.template_.spec.automatedCleaningMode = mode;
    create(made);
  }
  void addMachine(const std::string& name, const std::string& from = "workers",
                  const std::string& kind = "Metal3MachineTemplate.infrastructure.cluster.x-k8s.io") {
    Metal3Machine machine;
    machine.metadata = {.name = name, .namespace_ = "metal"};
    machine.metadata.labels = {{std::string(api::capm3::label::clusterName), "c1"}};
    machine.metadata.annotations = {{std::string(api::capm3::annotation::clonedFromName), from},
                                    {std::string(api::capm3::annotation::clonedFromGroupKind), kind}};
    machine.spec.image = {.url = "http://images/os.raw", .checksum = "http://images/sums"};
    create(machine);
  }
  void addCluster(bool isPaused) { create(cluster(isPaused)); }
  static api::capi::Cluster cluster(bool isPaused) {
    api::capi::Cluster made;
    made.metadata = {.name = "c1", .namespace_ = "metal"};
    made.spec.infrastructureRef = {.apiGroup = std::string(api::capm3::kGroup), .kind = "Metal3Cluster", .name = "c1"};
    made.spec.paused = isPaused;
    return made;
  }
  void changeMode(const std::string& mode) {
    patch<Metal3MachineTemplate>("workers",
                                 R"({"spec":{"template":{"spec":{"automatedCleaningMode":")" + mode + R"("}}}})");
    settle();
  }
  [[nodiscard]] std::string mode(const std::string& machine) {
    return find<Metal3Machine>(machine)->spec.automatedCleaningMode;
  }
  [[nodiscard]] int passes() const { return passesOf(page_, "metal3machinetemplate"); }

 private:
  std::unique_ptr<kube::Client> client_;
  base::Metrics page_;
  coordinator::Caches caches_;
  coordinator::machine_template::Controllers controllers_;
  base::VitalTasks tasks_;
};

}  // namespace

TEST_CASE("a machine of a paused Cluster gets no cleaning mode until the pause ends", "[machine_template]") {
  TemplateSite site;
  site.addCluster(true);
  site.addTemplate("metadata");
  site.addMachine("m1");
  site.settle();
  CHECK(site.writes.empty());
  site.patch<api::capi::Cluster>("c1", R"({"spec":{"paused":false}})");
  site.settle();
  CHECK(site.mode("m1") == "metadata");
}

TEST_CASE("a machine whose Cluster no watch has shown yet waits where that one is paused", "[machine_template]") {
  const bool isPaused = GENERATE(true, false);
  CAPTURE(isPaused);
  TemplateSite site;
  site.heldWatch = "/clusters";
  site.watchHeldFor = std::chrono::minutes(10);
  site.addTemplate("metadata");
  site.settle();
  site.addCluster(isPaused);
  site.addMachine("m1");
  site.settle(std::chrono::minutes(2));
  CHECK(site.mode("m1") == (isPaused ? "" : "metadata"));
  if (!isPaused) return;
  site.patch<api::capi::Cluster>("c1", R"({"spec":{"paused":false}})");
  site.settle(std::chrono::seconds(31));
  CHECK(site.mode("m1") == "metadata");
}

TEST_CASE("a Cluster that cannot be asked for keeps the mode from the machines of no other", "[machine_template]") {
  TemplateSite site;
  bool isRefused = true;
  site.instead = [&](const net::ServerRequest& request) -> std::optional<TemplateSite::Answer> {
    if (!isRefused || !request.path().ends_with("/clusters/c1")) return std::nullopt;
    return TemplateSite::Answer{.status = 500};
  };
  site.addMachine("m1");
  site.addMachine("m2");
  site.patch<Metal3Machine>("m2", R"({"metadata":{"labels":{"cluster.x-k8s.io/cluster-name":"c2"}}})");
  site.addTemplate("metadata");
  site.settle(std::chrono::minutes(1));
  CHECK(site.mode("m1").empty());
  CHECK(site.mode("m2") == "metadata");
  isRefused = false;
  site.settle(std::chrono::minutes(1));
  CHECK(site.mode("m1") == "metadata");
}

TEST_CASE("a machine waits while its Cluster cannot be read, which may be paused", "[machine_template]") {
  kube::Unreadable unreadable;
  unreadable.add("clusters.cluster.x-k8s.io", {"metal", "c1"});
  TemplateSite site("", unreadable);
  site.addTemplate("metadata");
  site.addMachine("m1");
  site.settle(std::chrono::minutes(2));
  CHECK(site.writes.empty());
  site.addCluster(false);  // in place of the one that was set aside
  site.settle(std::chrono::seconds(31));
  CHECK(site.mode("m1") == "metadata");
}

TEST_CASE("§14, §21 Q18 the cleaning mode of a template reaches the machines made from it", "[machine_template]") {
  TemplateSite site;
  site.addTemplate("metadata");
  site.addMachine("m1");
  site.addMachine("m2");
  site.addMachine("other", "controllers");
  site.addMachine("foreign", "workers", "OtherTemplate.infrastructure.cluster.x-k8s.io");
  site.settle();
  CHECK(site.mode("m1") == "metadata");
  CHECK(site.mode("m2") == "metadata");
  CHECK(site.mode("other").empty());
  CHECK(site.mode("foreign").empty());
  CHECK(site.writes.size() == 2);

  SECTION("and follows it") {
    site.changeMode("disabled");
    CHECK(site.mode("m1") == "disabled");
    CHECK(site.mode("m2") == "disabled");
    CHECK(site.writes.size() == 4);
  }
  SECTION("also when somebody has changed a machine") {
    site.patch<Metal3Machine>("m1", R"({"spec":{"automatedCleaningMode":"disabled"}})");
    site.settle();
    CHECK(site.mode("m1") == "metadata");
  }
  SECTION("nothing else of it does") {
    site.patch<Metal3MachineTemplate>("workers", R"({"spec":{"nodeReuse":true}})");
    site.settle();
    CHECK(site.find<Metal3Machine>("m1")->spec.image.url == "http://images/os.raw");
    CHECK(site.writes.size() == 2);
  }
}

TEST_CASE("a machine that has the mode of its template costs no look at all the others", "[machine_template]") {
  TemplateSite site;
  site.addTemplate("metadata");
  site.addMachine("m1");
  site.settle();
  const int before = site.passes();
  for (int i = 0; i < 10; ++i) {
    site.patch<Metal3Machine>("m1", fmt::format(R"({{"metadata":{{"annotations":{{"n":"{}"}}}}}})", i));
    site.settle();
  }
  CHECK(site.passes() == before);
}

TEST_CASE("§14 a template without a cleaning mode leaves its machines as they are", "[machine_template]") {
  TemplateSite site;
  site.addTemplate("");
  site.addMachine("m1");
  site.patch<Metal3Machine>("m1", R"({"spec":{"automatedCleaningMode":"disabled"}})");
  site.settle();
  CHECK(site.mode("m1") == "disabled");
  CHECK(site.writes.empty());
}

TEST_CASE("§14 a paused template, and a paused machine, wait for the end of the pause", "[machine_template]") {
  TemplateSite site;
  site.addTemplate("metadata");
  const std::string pause = R"({"metadata":{"annotations":{")" + kPaused + R"(":""}}})";
  const std::string goOn = R"({"metadata":{"annotations":{")" + kPaused + R"(":null}}})";
  std::string expected = "metadata";
  SECTION("the template") {
    site.patch<Metal3MachineTemplate>("workers", pause);
    site.addMachine("m1");
    site.settle();
    CHECK(site.mode("m1").empty());
    site.patch<Metal3MachineTemplate>("workers", goOn);
  }
  SECTION("the machine") {
    site.addMachine("m1");
    site.settle();
    site.patch<Metal3Machine>("m1", pause);
    site.changeMode("disabled");
    CHECK(site.mode("m1") == "metadata");
    expected = "disabled";
    site.patch<Metal3Machine>("m1", goOn);
  }
  site.settle();
  CHECK(site.mode("m1") == expected);
}

TEST_CASE("§14, §21 Q6 a template without the label of the watch filter is somebody else's", "[machine_template]") {
  TemplateSite site("blue");
  site.addTemplate("metadata");
  site.addMachine("m1");
  site.settle();
  CHECK(site.mode("m1").empty());
  site.patch<Metal3MachineTemplate>("workers", R"({"metadata":{"labels":{"cluster.x-k8s.io/watch-filter":"blue"}}})");
  site.settle();
  CHECK(site.mode("m1") == "metadata");
}

TEST_CASE("somebody's write in between is not overwritten, and the mode comes all the same", "[machine_template]") {
  TemplateSite site;
  site.addMachine("m1");
  bool meddled = false;
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (request.method != "PATCH" || meddled) co_return;
    meddled = true;
    co_await site.patchMeanwhile<Metal3Machine>("m1", R"({"spec":{"failureDomain":"rack-7"}})");
  };
  site.addTemplate("metadata");
  site.settle();
  CHECK(meddled);
  CHECK(site.mode("m1") == "metadata");
  CHECK(site.find<Metal3Machine>("m1")->spec.failureDomain == "rack-7");
}

TEST_CASE("a machine that cannot be written keeps the mode from no other", "[machine_template]") {
  TemplateSite site;
  site.addMachine("m1");
  site.addMachine("m2");
  site.denied = "/metal3machines/m1";
  site.denials = 3;
  site.addTemplate("metadata");
  site.settle(std::chrono::milliseconds(50));
  CHECK(site.mode("m1").empty());
  CHECK(site.mode("m2") == "metadata");
  site.settle(std::chrono::minutes(1));
  CHECK(site.mode("m1") == "metadata");
}

TEST_CASE("what is settled costs no pass", "[machine_template]") {
  TemplateSite site;
  site.addTemplate("metadata");
  site.addMachine("m1");
  site.settle();
  const int before = site.passes();
  site.settle(std::chrono::hours(1));
  CHECK(site.passes() == before);
}

}  // namespace ingot::tests
