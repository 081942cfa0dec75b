// An approval names the key that was looked at, and what the agent may serve; without both no password leaves.
#include "kube/core/error.hpp"
#include "tests/coordinator/agents/resting_host.hpp"
#include "tests/coordinator/agents/talker.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

using api::ProvisioningAgent;

void patchAgent(Site& site, const std::string& name, const std::string& spec) {
  static_cast<void>(
      site.loop.run(site.user().patch<ProvisioningAgent>({"", name}, json::Object{{"spec", json::parse(spec)}})));
}

// A host that only an agent could power, and an agent that has shown up.
struct Pending : Site {
  Pending() : Site(With::fixture) {
    startAgent("near");
    addHost("a", "10.0.0.1", true);
    REQUIRE(until([&] { return agentObject("near") && !agentObject("near")->status.fingerprint.empty(); }));
  }
  [[nodiscard]] bool gotPassword() { return bmc("10.0.0.1").logins > 0; }
  [[nodiscard]] std::string fingerprint() { return agentObject("near")->status.fingerprint; }
};

// As an earlier version defined the kind.
void dropRule(Site& site) {
  const kube::Resource crds{"apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions",
                            false};
  auto& api = site.user().api();
  auto crd = site.loop.run(api.get(crds, {"", "provisioningagents.ingot.dev"})).value();
  auto versions = crd.at("spec").at("versions");
  auto& spec = versions.at(0).at("schema").at("openAPIV3Schema").at("properties").at("spec").as_object();
  REQUIRE(spec.erase("x-kubernetes-validations") == 1);
  static_cast<void>(site.loop.run(api.patch(crds, {"", "provisioningagents.ingot.dev"}, kube::PatchType::merge,
                                            json::Object{{"spec", json::Object{{"versions", versions}}}})));
}

}  // namespace

TEST_CASE("an approval that does not name a fingerprint and what may be served is refused by the API") {
  Pending site;
  const std::string patch = GENERATE(R"({"approved":true})", R"({"approved":true,"allHosts":true})",
                                     R"({"approved":true,"fingerprint":"SHA256:1"})",
                                     R"({"approved":true,"fingerprint":"","networks":["10.0.0.0/8"]})",
                                     R"({"approved":true,"fingerprint":"SHA256:1","networks":[],"allHosts":false})");
  CAPTURE(patch);
  CHECK_THROWS_WITH(patchAgent(site, "near", patch),
                    Catch::Contains("an approval names the fingerprint that the agent printed, and what the agent may "
                                    "serve: networks, hostLabels or allHosts"));
  site.pass(10s);
  CHECK_FALSE(site.gotPassword());
}

TEST_CASE("an agent whose key has another fingerprint than the one approved gets nothing, and is told") {
  Pending site;
  patchAgent(site, "near", R"({"approved":true,"fingerprint":"SHA256:1","allHosts":true})");
  site.pass(20s);
  CHECK_FALSE(site.gotPassword());
  CHECK_FALSE(site.box("near").life->agent.approved());
  site.stopAgent("near");
  Talker talker(site, "near", site.box("near").key);
  talker.hello();
  const auto welcome = talker.welcome();
  CHECK(welcome.state == "refused");
  CHECK(welcome.reason ==
        fmt::format("approved is the fingerprint SHA256:1, and the agent's key has {0}: if the agent printed that, "
                    "approve it with: ingotctl agents approve near --fingerprint \"{0}\"",
                    site.fingerprint()));
  site.startAgent("near");
  patchAgent(site, "near", fmt::format(R"({{"fingerprint":"{}"}})", site.fingerprint()));
  CHECK(site.until([&] { return site.gotPassword(); }, 20s));
  patchAgent(site, "near", R"({"fingerprint":"SHA256:1"})");  // found out later
  CHECK(site.until([&] { return !site.box("near").life->agent.keepsCredentials(); }, 20s));
}

TEST_CASE("fingerprints are the same however they are written") {
  Pending site;
  std::string typed = site.fingerprint();
  std::erase(typed, ' ');
  std::ranges::transform(typed, typed.begin(), [](unsigned char c) { return std::toupper(c); });
  patchAgent(site, "near", fmt::format(R"({{"approved":true,"fingerprint":"{}","allHosts":true}})", typed));
  CHECK(site.until([&] { return site.gotPassword(); }, 20s));
}

TEST_CASE("an approval that was made before it had to name these counts for all hosts, with an Event") {
  Pending site;
  dropRule(site);
  SECTION("for all") { patchAgent(site, "near", R"({"approved":true})"); }
  SECTION("for a network") { patchAgent(site, "near", R"({"approved":true,"networks":["10.0.0.0/8"]})"); }
  const bool narrow = !site.agentObject("near")->spec.networks.empty();
  CHECK(site.until([&] { return site.gotPassword(); }, 20s));
  site.pass(20s);
  const auto spec = site.agentObject("near")->spec;
  CHECK(spec.fingerprint == site.fingerprint());
  CHECK(spec.allHosts == !narrow);
  CHECK(site.eventMessages("default", "ApprovalCompleted") ==
        std::vector{fmt::format("approved before approvals named a fingerprint and what the agent may serve: it counts "
                                "for the key {}{}; if the agent printed another fingerprint, revoke it",
                                spec.fingerprint, narrow ? "" : " and for all hosts")});
}

TEST_CASE("a host's annotation does not let an agent have what its approval does not cover") {
  Pending site;
  site.changeAgent("near", R"({"networks":["192.168.0.0/16"]})");
  site.patchHost("a", R"({"metadata":{"annotations":{"ingot.dev/agent":"near"}}})");
  site.pass(20s);
  CHECK_FALSE(site.gotPassword());
  CHECK(
      site.eventMessages("metal", "AgentNotApprovedForHost") ==
      std::vector<std::string>{
          "annotation ingot.dev/agent names agent near, whose approval does not cover this host, so no agent serves "
          "it: "
          "widen the approval (ingotctl agents approve near with --network, --label or --all), or take the annotation "
          "away"});
  site.changeAgent("near", R"({"networks":["192.168.0.0/16","10.0.0.0/8"]})");
  CHECK(site.until([&] { return site.gotPassword(); }, 20s));
}
