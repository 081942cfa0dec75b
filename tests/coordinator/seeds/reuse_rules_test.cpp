// The rules of hosts that are kept for the next machine find what they are there for.
#include "tests/coordinator/seeds/book.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests::seeds {

TEST_CASE("a host that is kept for others and taken is found", "[seeds]") {
  Book book;
  book.machine("m1");
  book.put("machinesets", "set", R"({"metadata":{"ownerReferences":[{"kind":"MachineDeployment","name":"md"}]}})");
  const auto owned = [&](const std::string& kind, const std::string& name) {
    book.put("machines", "m1",
             fmt::format(R"({{"metadata":{{"ownerReferences":[{{"kind":"{}","name":"{}"}}]}}}})", kind, name));
  };
  const auto claimWhenKeptFor = [&](const std::string& whom) {
    book.put("baremetalhosts", "h1",
             fmt::format(R"({{"metadata":{{"labels":{{"infrastructure.cluster.x-k8s.io/node-reuse":"{}"}}}},"spec":{{)"
                         R"("consumerRef":{{"kind":"Cluster","name":"c0"}}}}}})",
                         whom));
    book.host("h1", "m1");
  };
  SECTION("by its own deployment") {
    owned("MachineSet", "set");
    claimWhenKeptFor("md-md");
    CHECK(book.rules.breaches().empty());
  }
  SECTION("by its own control plane") {
    owned(GENERATE("KubeadmControlPlane", "RKE2ControlPlane"), "plane");
    claimWhenKeptFor("cp-plane");
    CHECK(book.rules.breaches().empty());
  }
  SECTION("by others") {
    owned("MachineSet", "set");
    claimWhenKeptFor("md-other");
    CHECK(book.broke("is claimed by m1 while it is kept for md-other"));
  }
}

TEST_CASE("a host that is let go for anybody although the next machine is to have it is found", "[seeds]") {
  Book book;
  base::MonoTime now;
  book.rules.now = [&now] { return now; };
  book.machine("m1");
  book.put("clusters", "c0", "{}");
  const char* plane = GENERATE("", "kubeadmcontrolplanes", "rke2controlplanes");
  const std::string resource = *plane == '\0' ? "machinesets" : plane,
                    kind = resource == "machinesets"            ? "MachineSet"
                           : resource == "kubeadmcontrolplanes" ? "KubeadmControlPlane"
                                                                : "RKE2ControlPlane",
                    part = resource == "machinesets" ? "template" : "machineTemplate";
  const auto owner = [&](const std::string& metadata) {
    book.put(
        resource, "owner",
        fmt::format(R"({{"metadata":{{{}}},"spec":{{"{}":{{"spec":{{"infrastructureRef":{{"name":"workers"}}}}}}}}}})",
                    metadata, part));
  };
  owner("");
  book.put("machines", "m1",
           fmt::format(R"({{"metadata":{{"ownerReferences":[{{"kind":"{}","name":"owner"}}]}},)"
                       R"("spec":{{"clusterName":"c0"}}}})",
                       kind));
  const auto keeps = [&](bool does) {
    book.put("metal3machinetemplates", "workers", fmt::format(R"({{"spec":{{"nodeReuse":{}}}}})", does));
  };
  const std::string leaves = R"("deletionTimestamp":"2026-01-01T00:00:00Z")";
  keeps(true);
  book.host("h1", "m1");
  now += std::chrono::seconds(30);
  const auto letGo = [&] { book.host("h1", ""); };
  SECTION("let go") {
    keeps(true);
    letGo();
    CHECK(book.broke("is let go for anybody by m1"));
  }
  SECTION("kept") {
    book.put("baremetalhosts", "h1",
             R"({"metadata":{"labels":{"infrastructure.cluster.x-k8s.io/node-reuse":"md-md"}}})");
    CHECK(book.rules.breaches().empty());
  }
  SECTION("it was decided before, perhaps") {
    keeps(false);
    keeps(true);
    letGo();
    CHECK(book.rules.breaches().empty());
  }
  SECTION("nobody comes any more, as its owner goes") {
    owner(leaves);
    letGo();
    CHECK(book.rules.breaches().empty());
  }
  SECTION("nobody comes any more, as its Cluster goes") {
    book.put("clusters", "c0", fmt::format(R"({{"metadata":{{{}}}}})", leaves));
    letGo();
    CHECK(book.rules.breaches().empty());
  }
}

}  // namespace ingot::tests::seeds
