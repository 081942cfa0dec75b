// Whether Metal3's managers act, by their Deployments, and what becomes of the work.
#include "tests/coordinator/managers/site.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {

using Catch::Matchers::Contains;
using coordinator::Part;

TEST_CASE("each part is what one manager of Metal3 does", "[managers]") {
  const auto names = [](const coordinator::Parts& parts) {
    std::vector<std::string> out;
    for (const auto& manager : managersOf(parts)) out.emplace_back(manager.name);
    return out;
  };
  using Names = std::vector<std::string>;
  CHECK(names({}) == Names{});
  CHECK(names({Part::host}) == Names{"baremetal-operator"});
  CHECK(names({Part::ipam}) == Names{"ip-address-manager"});
  CHECK(names({Part::cluster, Part::machine, Part::machineTemplate, Part::labelSync, Part::remediation, Part::data}) ==
        Names{"cluster-api-provider-metal3"});
}

TEST_CASE("an API that has no Deployments has no managers of Metal3", "[managers]") {
  Cluster c({});
  c.start();
  CHECK(c.works);
}

TEST_CASE("a ready Deployment of Metal3 is waited for, in whatever namespace, and told of", "[managers]") {
  Cluster c;
  c.deploy("other", "capm3-controller-manager", 1);
  c.start();
  c.clock.advance(10min);
  CHECK_FALSE(c.works);
  CHECK_FALSE(c.standby->mayAct());
  CHECK(c.standby->waitsFor() == "Deployment other/capm3-controller-manager has 1 ready replica");
  CHECK(c.holder("ingot-system") == "none");  // it would keep a second replica of Metal3's from leading there
  CHECK(c.told() ==
        std::vector<std::string>{
            "StandsBy at Lease ingot-coordinator: managers of Metal3 may act on the same objects: Deployment "
            "other/capm3-controller-manager has 1 ready replica"});
  c.deploy("other", "capm3-controller-manager", 0);
  c.clock.advance(14s);  // its pods may still be ending
  CHECK_FALSE(c.works);
  c.clock.advance(4s);
  CHECK(c.works);
}

TEST_CASE("a Deployment of what somebody else shall do is none of our business", "[managers]") {
  Cluster c;
  c.deploy("capm3-system", "capm3-controller-manager", 1);
  c.deploy("capm3-system", "another-controller-manager", 1);
  c.start({Part::host, Part::ipam});
  CHECK(c.works);
  CHECK(c.holder("ingot-system") == "none");
}

TEST_CASE("a Deployment of Metal3 whose image is Ingot does not wait for itself", "[managers]") {
  Deployment deployment{.metadata = {.name = "capm3-controller-manager", .namespace_ = "capm3-system"},
                        .spec = {.replicas = 1},
                        .status = {.readyReplicas = 1}};
  CHECK_FALSE(objection(deployment, {"capm3-system", "capm3-controller-manager-5d9c-x2"}));
  CHECK(objection(deployment, {"other", "capm3-controller-manager-5d9c-x2"}));
  CHECK(objection(deployment, {"capm3-system", "capm3-controller-managers-5d9c-x2"}));
  CHECK(objection(deployment, {"capm3-system", ""}));
}

TEST_CASE("work ends when a Deployment of Metal3 is ready again, and nothing is sent from that moment on",
          "[managers]") {
  Cluster c;
  c.deploy("capm3-system", "capm3-controller-manager", 0);
  c.start();
  REQUIRE(c.works);
  c.deploy("capm3-system", "capm3-controller-manager", 2);
  CHECK_FALSE(c.standby->mayAct());
  c.deploy("capm3-system", "capm3-controller-manager", 0);  // too late: work ends
  c.clock.advance(2s);
  CHECK_FALSE(c.works);
  CHECK(c.ended == "stops acting: Deployment capm3-system/capm3-controller-manager wants 2 replicas");
  CHECK(c.told().size() == 1);
}

TEST_CASE("where it cannot be told whether Metal3's managers act nothing is done, and that is told", "[managers]") {
  Cluster c;
  c.door.isShut = true;
  c.start();
  c.clock.advance(5min);
  CHECK_FALSE(c.works);
  CHECK_THAT(c.standby->waitsFor(), Contains("Deployments cannot be listed"));
  CHECK(c.told().size() == 1);
  c.door.isShut = false;
  c.clock.advance(1min);
  CHECK(c.works);
}

TEST_CASE("what fails of the work goes through", "[managers]") {
  Cluster c;
  c.workFails = true;
  c.start();
  CHECK(c.ended == "the work failed");
}

TEST_CASE("a Deployment counts when its ServiceAccount may do what a manager does", "[managers]") {
  Cluster c;
  c.deploy("other", "capm3-controller-manager", 3, "stranger");
  c.start();
  CHECK(c.works);
  c.clock.advance(1h);
  CHECK(c.works);
  CHECK(c.door.reviews.size() <= 65);  // one a minute
  REQUIRE_FALSE(c.door.reviews.empty());
  CHECK_THAT(c.door.reviews[0], Contains("system:serviceaccount:other:stranger") && Contains("metal3machines"));
  c.deploy("other", "capm3-controller-manager", 3, "manager");
  c.clock.advance(11s);
  CHECK_FALSE(c.works);
}

TEST_CASE("a Deployment whose ServiceAccount may do so in some of the namespaces only does not count", "[managers]") {
  Cluster c;
  c.namespaces = {"team-a", "team-b"};
  c.door.only = {GENERATE(as<std::string>(), "team-a", "team-b")};
  c.deploy("other", "capm3-controller-manager", 1);
  c.start();
  CHECK(c.works);
  c.clock.advance(10min);
  CHECK(c.works);
  c.door.only = {"team-a", "team-b"};
  c.clock.advance(80s);
  CHECK_FALSE(c.works);
}

TEST_CASE("a Deployment that wants replicas counts before one of them is ready", "[managers]") {
  Cluster c;
  c.deployed("capm3-system", "capm3-controller-manager", 1, "manager", 0);
  c.start();
  CHECK_FALSE(c.works);
  CHECK(c.standby->waitsFor() == "Deployment capm3-system/capm3-controller-manager wants 1 replica");
}

TEST_CASE("a Deployment that comes up while the last look is under way is noticed at once", "[managers]") {
  Cluster c;
  bool isUp = false;
  c.door.beforeWrite = [&]() -> base::Task<void> {
    isUp = true;
    static_cast<void>(co_await c.others->api().create(
        kube::Resource::of(Deployment::info), "capm3-system",
        json::parse(R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"capm3-controller-manager"},
                        "spec":{"template":{"spec":{"serviceAccountName":"manager"}}}})")));
  };
  c.start();
  REQUIRE(isUp);
  CHECK_FALSE(c.works);
}

TEST_CASE("who cannot tell for a minute whether Metal3's managers are back ends its work", "[managers]") {
  Cluster c;
  c.start();
  c.door.leasesFail = true;
  c.clock.advance(50s);
  CHECK(c.works);
  c.clock.advance(40s);
  CHECK_FALSE(c.works);
  CHECK_THAT(c.ended, Contains("unknown"));
}

}  // namespace ingot::tests
