// What is decided before anything is written.
#include "base/error.hpp"
#include "cli/decide/approval.hpp"
#include "cli/decide/goal.hpp"
#include "cli/decide/host_facts.hpp"
#include "cli/decide/host_next.hpp"
#include "cli/decide/power_plan.hpp"
#include "cli/decide/why.hpp"
#include "cli/outcome.hpp"
#include "tests/cli/hosts.hpp"

#include <fmt/ranges.h>
#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::cli;
using namespace std::chrono_literals;
using cli::tests::host;
using cli::tests::noon;

namespace {

std::string text(const std::vector<std::string>& lines) { return fmt::format("{}", fmt::join(lines, " | ")); }

}  // namespace

TEST_CASE("power plans write intent, as little as is needed", "[cli][power]") {
  struct Row {
    std::string why;
    PowerVerb verb;
    bool hard;
    api::BareMetalHost host;
    std::string patch;  // "{}": nothing; "-": refused
    std::string says;   // in what is said, or in the refusal
  };
  const Row rows[] = {
      {"off", PowerVerb::off, false, host("provisioned"), R"({"spec":{"online":false}})", "through spec.online: false"},
      {"on", PowerVerb::on, false, host("provisioned").online(false).powered(false), R"({"spec":{"online":true}})",
       "through spec.online: true"},
      {"on already", PowerVerb::on, false, host("provisioned"), "{}", "asked for already"},
      {"off already", PowerVerb::off, false, host("provisioned").online(false).powered(false), "{}",
       "asked for already"},
      {"hard off", PowerVerb::off, true, host("provisioned"),
       R"({"metadata":{"annotations":{"reboot.metal3.io":"{\"mode\":\"hard\"}"}},"spec":{"online":false}})", "at once"},
      {"hard off, soft one asked for", PowerVerb::off, true, host("provisioned").online(false),
       R"({"metadata":{"annotations":{"reboot.metal3.io":"{\"mode\":\"hard\"}"}}})", "at once"},
      {"hard off of an available host needs force", PowerVerb::off, true, host("available"),
       R"({"metadata":{"annotations":{"reboot.metal3.io":"{\"mode\":\"hard\",\"force\":true}"}},"spec":{"online":false}})",
       "at once"},
      {"hard off, is off", PowerVerb::off, true, host("provisioned").online(false).powered(false), "{}",
       "asked for already"},
      {"hard off must not disturb an inspection", PowerVerb::off, true, host("inspecting"),
       R"({"spec":{"online":false}})", "spec.online"},
      {"power off is forbidden", PowerVerb::off, false,
       [] {
         auto h = host("provisioned").host;
         h.spec.disablePowerOff = true;
         return h;
       }(),
       "-", "disablePowerOff"},
      {"reboot", PowerVerb::reboot, false, host("provisioned"),
       R"({"metadata":{"annotations":{"reboot.metal3.io":"{\"mode\":\"soft\"}"}}})", "soft reboot"},
      {"hard reboot", PowerVerb::reboot, true, host("externally provisioned"),
       R"({"metadata":{"annotations":{"reboot.metal3.io":"{\"mode\":\"hard\"}"}}})", "hard reboot"},
      {"reboot of an available host", PowerVerb::reboot, false, host("available"),
       R"({"metadata":{"annotations":{"reboot.metal3.io":"{\"mode\":\"soft\",\"force\":true}"}}})", "soft reboot"},
      {"rebooting already", PowerVerb::reboot, false, host("provisioned").annotation("reboot.metal3.io"), "{}",
       "asked for already"},
      {"reboot of a host that is off", PowerVerb::reboot, false, host("provisioned").powered(false), "-", "it is off"},
      {"reboot of a host that should be off", PowerVerb::reboot, false, host("provisioned").online(false), "-",
       "use power on"},
      {"reboot while provisioning", PowerVerb::reboot, false, host("provisioning"), "-", "it is provisioning"},
      {"being deleted", PowerVerb::on, false, host("provisioned").deleted(), "-", "being deleted"},
  };
  for (const Row& row : rows) {
    INFO(row.why);
    const PowerPlan plan = planPower(row.verb, row.hard, row.host);
    CHECK((plan.refusal.empty() ? json::serializeSorted(plan.patch) : "-") == row.patch);
    CHECK_THAT(plan.refusal + plan.said, Catch::Contains(row.says));
  }
}

TEST_CASE("what stands in the way of power is said", "[cli][power]") {
  const auto notes = [](const api::BareMetalHost& h) { return text(planPower(PowerVerb::on, false, h).notes); };
  CHECK(notes(host("provisioned")).empty());
  CHECK_THAT(notes(host("provisioned").annotation(api::annotation::paused)), Catch::Contains("paused"));
  CHECK_THAT(notes(host("provisioned").annotation(api::annotation::detached)), Catch::Contains("detached"));
  CHECK_THAT(notes(host("provisioned").annotation("reboot.metal3.io/fencing")),
             Catch::Contains("kept off until annotation reboot.metal3.io/fencing"));
  CHECK_THAT(notes(host("inspecting")), Catch::Contains("once it is available or provisioned"));
  CHECK_THAT(notes(host("available").online(false).image()), Catch::Contains("will be provisioned now"));
  const auto used = host("provisioned").usedBy("m1");
  CHECK(notes(used).empty());
  CHECK(text(planPower(PowerVerb::reboot, false, used).notes).empty());
  CHECK_THAT(text(planPower(PowerVerb::off, false, used).notes),
             Catch::Contains("Metal3Machine m1 uses it, and switches it on again"));
}

TEST_CASE("an NMI and an AC cycle name when they were asked for, and are asked for only where they can be",
          "[cli][power]") {
  struct Row {
    std::string why;
    PowerVerb verb;
    api::BareMetalHost host;
    std::string annotation;  // "-": refused
    std::string says;
  };
  auto neverOff = host("provisioned").host;
  neverOff.spec.disablePowerOff = true;
  const Row rows[] = {
      {"nmi", PowerVerb::nmi, host("provisioned"), "ingot.dev/nmi", "NMISent or NMIFailed"},
      {"ac-cycle", PowerVerb::acCycle, host("available"), "ingot.dev/ac-cycle", "ACCycleDone or ACCycleFailed"},
      {"ac-cycle of a host that is off", PowerVerb::acCycle, host("available").powered(false), "ingot.dev/ac-cycle",
       ""},
      {"nmi to a host that is off", PowerVerb::nmi, host("provisioned").powered(false), "-", "it is off"},
      {"nmi to one that must not be off", PowerVerb::nmi, neverOff, "ingot.dev/nmi", ""},
      {"ac-cycle of one that must not be off", PowerVerb::acCycle, neverOff, "-", "disablePowerOff"},
      {"while inspecting", PowerVerb::nmi, host("inspecting"), "-", "it is inspecting"},
      {"paused", PowerVerb::nmi, host("provisioned").annotation(api::annotation::paused), "-", "paused"},
      {"being deleted", PowerVerb::acCycle, host("provisioned").deleted(), "-", "being deleted"},
  };
  const base::WallTime now = *base::parseTime("2026-01-02T03:04:05Z");
  for (const Row& row : rows) {
    INFO(row.why);
    const PowerPlan plan = planOneShot(row.verb, row.host, now);
    CHECK_THAT(plan.refusal + plan.said, Catch::Contains(row.says));
    if (row.annotation == "-") {
      CHECK(plan.patch.empty());
      CHECK_FALSE(plan.refusal.empty());
    } else {
      CHECK(json::serialize(plan.patch) ==
            fmt::format(R"({{"metadata":{{"annotations":{{"{}":"2026-01-02T03:04:05Z"}}}}}})", row.annotation));
    }
  }
}

TEST_CASE("an inspection is asked for by annotation", "[cli][inspect]") {
  CHECK(json::serialize(planInspection(host("available")).patch) ==
        R"({"metadata":{"annotations":{"inspect.metal3.io":""}}})");
  CHECK(planInspection(host("inspecting")).patch.empty());
  CHECK(planInspection(host("available").annotation("inspect.metal3.io")).patch.empty());
  CHECK_THAT(planInspection(host("available").annotation("inspect.metal3.io", "disabled")).refusal,
             Catch::Contains("disabled"));
  CHECK_THAT(text(planInspection(host("provisioned")).notes), Catch::Contains("once it is available"));
}

TEST_CASE("goals are parsed, and refused with what there is", "[cli][goal]") {
  CHECK(textOf(parseGoal("provisioned")) == "provisioned");
  CHECK(textOf(parseGoal("power=on")) == "powered on");
  CHECK(textOf(parseGoal("condition=Ready")) == "Ready: True");
  CHECK(textOf(parseGoal("condition=Ready=False")) == "Ready: False");
  CHECK(textOf(parseGoal("deleted")) == "gone");
  CHECK_THROWS_WITH(parseGoal("provisoned"), Catch::Contains("did you mean provisioned?"));
  CHECK_THROWS_WITH(parseGoal("power=up"), Catch::Contains("on or off"));
  CHECK_THROWS_WITH(parseGoal("condition="), Catch::Contains("name the condition"));
  CHECK_THROWS_WITH(parseGoal("condition=Ready=yes"), Catch::Contains("True, False or Unknown"));
  CHECK_THROWS_WITH(parseGoal("happiness"), Catch::Contains("power=on|off"));
}

TEST_CASE("nothing stale reaches a goal", "[cli][goal]") {
  struct Row {
    const char* goal;
    api::BareMetalHost host;
    bool reached;
  };
  const Row rows[] = {
      {"provisioned", host("provisioned"), true},
      {"provisioned", host("provisioning"), false},
      {"available", host("ready"), true},
      {"power=on", host("provisioned"), true},
      {"power=off", host("provisioned").powered(false), true},
      {"power=off", host("provisioned"), false},
      {"power=off", host("provisioned").powered(false).condition("PowerStateKnown", "Unknown"), false},
      {"power=off", host("registering").powered(false), false},
      {"condition=Ready", host("provisioned").condition("Ready", "True"), true},
      {"condition=Ready", host("provisioned"), false},
      {"deleted", host("deleting"), false},
  };
  for (const Row& row : rows) {
    INFO(row.goal << " " << row.host.status.provisioning.state);
    CHECK(reached(parseGoal(row.goal), row.host) == row.reached);
  }
  const Goal rebooted{Goal::What::rebooted, "", ""};
  CHECK(reached(rebooted, host("provisioned")));
  CHECK_FALSE(reached(rebooted, host("provisioned").annotation("reboot.metal3.io")));
  CHECK_FALSE(reached(rebooted, host("provisioned").powered(false)));
  const Goal inspected{Goal::What::inspected, "", ""};
  CHECK_FALSE(reached(inspected, host("available").annotation("inspect.metal3.io")));
  CHECK_FALSE(reached(inspected, host("inspecting")));
  CHECK(reached(inspected, host("preparing")));
}

TEST_CASE("why a host waits is said in sentences that help", "[cli][why]") {
  struct Row {
    api::BareMetalHost host;
    std::string says;  // "": nothing to wait for
  };
  const Row rows[] = {
      {host("provisioned"), ""},
      {host("available"), "set spec.image"},
      {host("available").online(false).image(), "set spec.online: true"},
      {host("inspecting"), "its hardware is being inspected"},
      {host(""), "is the coordinator running?"},
      {host("provisioned").annotation(api::annotation::paused),
       "until annotation baremetalhost.metal3.io/paused is removed"},
      {host("available").annotation(api::annotation::paused, "ingot.dev/move"),
       "paused with all Clusters of its namespace"},
      {host("provisioned").annotation("reboot.metal3.io/x"), "kept off"},
      {host("registering").failed("registration error", "wrong password", 3),
       "registration error (failed 3 times in a row): wrong password"},
      {host("provisioned").online(false), "power is on, and should be off"},
      {host("provisioned").condition("PowerStateKnown", "Unknown", noon - 2min), "not known for 2m (it was on)"},
      {host("deprovisioning").deleted(), "being deleted"},
      {host("available").image(), "about to be provisioned"},
      {host("available").usedBy("m1"),
       "claimed by Metal3Machine m1, which has not told it what to run yet; see ingotctl why machine m1"},
      {host("available").keptFor("md-workers"),
       "kept for machines of md-workers by label infrastructure.cluster.x-k8s.io/node-reuse, and no other one gets it; "
       "if there will be none, remove the label and spec.consumerRef"},
      {host("available").label("infrastructure.cluster.x-k8s.io/node-reuse", "md-workers"),
       "if there will be none, remove the label"},
      {host("available").keptFor("md-workers").usedBy("m1"), "claimed by Metal3Machine m1"},
      {host("available").annotation("capm3.metal3.io/unhealthy", "x"),
       "marked unhealthy by annotation capm3.metal3.io/unhealthy: no machine gets it until ingotctl retry host node01"},
      {host("available").annotation("capi.metal3.io/unhealthy"), "by annotation capi.metal3.io/unhealthy"},
      {host("provisioned").annotation("reboot.metal3.io"), "a reboot is asked for"},
      {host("provisioned").annotation("inspect.metal3.io"), "an inspection is asked for"},
      {host("provisioned").image("http://images.example/b"), "another image than it runs"},
  };
  for (const Row& row : rows) {
    const std::string lines = text(whyWaiting(row.host, noon));
    if (row.says.empty())
      CHECK(lines.empty());
    else
      CHECK_THAT(lines, Catch::Contains(row.says));
  }
  for (const auto& taken : {host("available").usedBy("m1"), host("available").annotation("capi.metal3.io/unhealthy")})
    CHECK_THAT(text(whyWaiting(taken, noon)), !Catch::Contains("let a machine claim it"));
  CHECK(standing(host("provisioning").failed("provisioning error", "image not found"), noon) ==
        "provisioning, power on; provisioning error: image not found");
}

TEST_CASE("a host says who boots it, and what that waits for", "[cli][why]") {
  auto asked = host("provisioning").image().annotation(api::annotation::bootBy, "agent");
  CHECK(booterOf(asked) == Booter::ironicInstead);
  CHECK_THAT(text(whyWaiting(asked, noon)), Catch::Contains("the image is being deployed"));
  asked.host.spec.image->format = "live-iso";
  asked.host.status.errorMessage = "no agent serves this host";
  CHECK(booterOf(asked) == Booter::agent);
  CHECK_THAT(text(whyWaiting(asked, noon)),
             Catch::Contains("an agent boots its live ISO (annotation ingot.dev/boot-by"));
  CHECK_THAT(text(whyWaiting(asked, noon)), Catch::EndsWith("no agent serves this host"));
  asked.host.spec.customDeploy.emplace();
  CHECK(booterOf(asked) == Booter::ironicInstead);
  CHECK(booterOf(host("provisioning").image()) == Booter::nobodyAsked);
  CHECK(booterOf(host("available").annotation(api::annotation::bootBy, "agent")) == Booter::nobodyAsked);
}

TEST_CASE("every host has a next step, whoever takes it", "[cli][why]") {
  struct Row {
    api::BareMetalHost host;
    std::string next;
  };
  const Row rows[] = {
      {host("provisioned"), "nothing: it is what it should be"},
      {host("available").keptFor("cp-plane"), "the next machine of cp-plane takes it"},
      {host("available").annotation(api::annotation::paused, "ingot.dev/move"), "when a Cluster of its namespace"},
      {host("provisioned").online(false).powered(false), "nothing: it is what it should be"},
      {host("provisioned").online(false), "the coordinator switches its power"},
      {host("provisioned").annotation("reboot.metal3.io"), "the coordinator switches its power"},
      {host("provisioned").image("http://images.example/b"), "it is deprovisioned, then provisioned"},
      {host("provisioned").condition("PowerStateKnown", "Unknown", noon - 2min), "its power is read again"},
      {host("provisioned").failed("power management error", "no"), "ingotctl retry host node01"},
      {host("provisioned").annotation(api::annotation::paused), "who set annotation baremetalhost.metal3.io/paused"},
      {host("available"), "whoever needs a host takes it"},
      {host("available").image(), "it is provisioned"},
      {host("available").usedBy("m1"), "its consumer tells it what to run"},
      {host("available").annotation("capi.metal3.io/unhealthy"), "ingotctl retry host node01"},
      {host("available").annotation("inspect.metal3.io"), "it is inspected"},
      {host(""), "it is registered"},
      {host("registering"), "its hardware is inspected"},
      {host("inspecting"), "becomes available"},
      {host("preparing"), "becomes available"},
      {host("provisioning"), "it boots what was deployed"},
      {host("externally provisioned"), "nothing: it is what it should be"},
      {host("deprovisioning"), "it becomes available"},
      {host("deprovisioning").deleted(), "it is gone once"},
      {host("deleting"), "it is gone"},
      {host("a state of tomorrow"), "it is registered"},
  };
  for (const Row& row : rows) {
    INFO(row.host.status.provisioning.state);
    CHECK_THAT(nextOf(row.host), Catch::Contains(row.next));
  }
  auto working = host("inspecting");
  working.host.status.operationHistory.inspect.start = noon - 4min;
  CHECK(waitsSince(working) == noon - 4min);
  CHECK(waitsSince(host("registering").condition("Ready", "False", noon - 3min)) == noon - 3min);
  CHECK_FALSE(waitsSince(host("provisioned").condition("Ready", "True", noon - 3min)));
}

TEST_CASE("an agent is approved with its own fingerprint, for what is named", "[cli][agents]") {
  api::ProvisioningAgent agent;
  agent.metadata.name = "rack7";
  agent.status.fingerprint = "AB:cd:12";
  const auto planned = [&](ApproveCommand command) {
    command.name = "rack7";
    return planApproval(agent, command);
  };
  const auto patch = [&](ApproveCommand command) { return json::serialize(planned(std::move(command)).spec); };
  CHECK_THAT(planned({.fingerprint = "ab:cd:13", .all = true}).refusal,
             Catch::Contains("its fingerprint is AB:cd:12, not ab:cd:13"));
  CHECK_THAT(planned({.all = true}).refusal,
             Catch::Contains("compare fingerprints first") && Catch::Contains("--fingerprint \"AB:cd:12\""));
  CHECK(planned({.fingerprint = "abcd12"}).refusal ==
        "say what it may serve: --network CIDR (of BMCs), --label KEY=VALUE (of hosts), or --all");
  CHECK(patch({.fingerprint = "abcd12", .all = true}) ==
        R"({"approved":true,"fingerprint":"AB:cd:12","allHosts":true})");
  CHECK(planned({.fingerprint = "abcd12", .networks = {"10.0.0.0/8"}, .labels = {{"rack", "7"}}}).said ==
        "approved for 10.0.0.0/8,rack=7 (fingerprint AB:cd:12)");
  CHECK(patch({.fingerprint = "abcd12", .networks = {"10.0.0.0/8"}, .labels = {{"rack", "7"}}}) ==
        R"({"approved":true,"fingerprint":"AB:cd:12","networks":["10.0.0.0/8"],"hostLabels":{"rack":"7"}})");
}

TEST_CASE("an approval stands until another one is given, whose scope replaces it", "[cli][agents]") {
  api::ProvisioningAgent agent;
  agent.metadata.name = "rack7";
  agent.status.fingerprint = "AB:cd:12";
  agent.spec = {.approved = true, .fingerprint = "abcd12", .hostLabels = {{"rack", "7"}, {"row", "1"}}};
  CHECK(planApproval(agent, {.name = "rack7"}).spec.empty());
  CHECK(planApproval(agent, {.name = "rack7"}).said == "was approved already for rack=7,row=1 (fingerprint AB:cd:12)");
  CHECK(json::serialize(planApproval(agent, {.name = "rack7", .labels = {{"row", "2"}}}).spec) ==
        R"({"hostLabels":{"rack":null,"row":"2"}})");
  CHECK(json::serialize(planApproval(agent, {.name = "rack7", .all = true}).spec) ==
        R"({"allHosts":true,"hostLabels":{"rack":null,"row":null}})");
  agent.spec = {.approved = true, .fingerprint = "abcd12", .networks = {"10.0.0.0/8"}, .allHosts = true};
  CHECK(json::serialize(planApproval(agent, {.name = "rack7", .labels = {{"row", "2"}}}).spec) ==
        R"({"networks":[],"allHosts":false,"hostLabels":{"row":"2"}})");
  agent.spec.approved = false;  // revoked: what it may serve is still on record, the fingerprint is compared anew
  CHECK_THAT(planApproval(agent, {.name = "rack7"}).refusal, Catch::Contains("compare fingerprints first"));
  CHECK(json::serialize(planApproval(agent, {.name = "rack7", .fingerprint = "ab:cd:12"}).spec) ==
        R"({"approved":true})");
  agent.spec = {.approved = true, .fingerprint = "of another key", .allHosts = true};
  CHECK_THAT(planApproval(agent, {.name = "rack7"}).refusal, Catch::Contains("compare fingerprints first"));
}

TEST_CASE("several failures keep their code when they agree", "[cli][outcome]") {
  CHECK(together(ExitCode::done, ExitCode::notFound) == ExitCode::notFound);
  CHECK(together(ExitCode::notFound, ExitCode::notFound) == ExitCode::notFound);
  CHECK(together(ExitCode::notFound, ExitCode::timedOut) == ExitCode::failed);
  CHECK(together(ExitCode::timedOut, ExitCode::done) == ExitCode::timedOut);
}

TEST_CASE("an NMI and an AC cycle have ended by the reasons of their own Events, and by no others", "[cli][power]") {
  const Goal nmi{Goal::What::oneShot, "nmi", ""}, acCycle{Goal::What::oneShot, "ac-cycle", ""};
  struct Row {
    std::string_view reason;
    std::optional<bool> ofNmi, ofCycle;
  };
  const Row rows[] = {
      {"NMISent", true, std::nullopt},
      {"NMIFailed", false, std::nullopt},
      {"ACCycleDone", std::nullopt, true},
      {"ACCycleFailed", std::nullopt, false},
      {"PowerChanged", std::nullopt, std::nullopt},
      {"", std::nullopt, std::nullopt},
  };
  for (const auto& [reason, ofNmi, ofCycle] : rows) {
    INFO(reason);
    CHECK(hasDone(nmi, reason) == ofNmi);
    CHECK(hasDone(acCycle, reason) == ofCycle);
  }
}
