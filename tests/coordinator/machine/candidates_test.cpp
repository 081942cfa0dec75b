#include "coordinator/machine/candidates.hpp"

#include "coordinator/machine/error.hpp"

#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <set>

using namespace ingot;
using namespace ingot::coordinator::machine;

namespace {

constexpr const char* kKeptFor = "infrastructure.cluster.x-k8s.io/node-reuse";
constexpr const char* kRack = "infrastructure.cluster.x-k8s.io/failure-domain";

api::BareMetalHost freeHost(const std::string& name, std::map<std::string, std::string> labels = {}) {
  api::BareMetalHost host;
  host.metadata = {.name = name, .namespace_ = "metal"};
  host.metadata.labels = std::move(labels);
  host.status.provisioning.state = "available";
  return host;
}

Metal3Machine wantingMachine(const std::string& name) {
  Metal3Machine machine;
  machine.metadata = {.name = name, .namespace_ = "metal"};
  machine.metadata.uid = "uid-" + name;
  return machine;
}

struct Chooser {
  Candidates candidates;
  Metal3Machine machine = wantingMachine("m");
  HostSelector selector;
  std::string nodeReuse;
  std::set<std::string> hidden;
  int looks = 0;

  HostChoice choice() {
    looks = 0;
    return candidates.choose({.machine = machine, .selector = selector, .nodeReuse = nodeReuse},
                             [this](const api::BareMetalHost& host) {
                               ++looks;
                               return !hidden.contains(host.metadata.name);
                             });
  }
  std::string name() {
    const auto* host = choice().host;
    return host ? host->metadata.name : "";
  }
};

}  // namespace

TEST_CASE("each round of a machine begins at another host", "[machine]") {
  Chooser chooser;
  for (int i = 0; i < 100; ++i) chooser.candidates.put(freeHost(fmt::format("host{}", i)));
  std::set<const api::BareMetalHost*> first;
  for (std::uint64_t round = 0; round < 10; ++round) {
    const auto all = [](const api::BareMetalHost&) { return true; };
    first.insert(
        chooser.candidates
            .choose({.machine = chooser.machine, .selector = chooser.selector, .nodeReuse = "", .round = round}, all)
            .host);
  }
  CHECK(first.size() >= 8);
}

TEST_CASE("a machine whom the hosts suit looks at one of thousands", "[machine]") {
  Chooser chooser;
  for (int i = 0; i < 2000; ++i) chooser.candidates.put(freeHost(fmt::format("host{}", i)));
  for (int i = 0; i < 2000; ++i) {
    auto other = freeHost(fmt::format("other{}", i));
    other.status.provisioning.state = "inspecting";
    chooser.candidates.put(other);
    chooser.candidates.put(freeHost(fmt::format("kept{}", i), {{kKeptFor, "md-others"}}));
  }
  chooser.nodeReuse = GENERATE("", "md-workers");
  chooser.machine.spec.failureDomain = GENERATE("", "rack-9");
  std::set<std::string> chosen;
  for (int i = 0; i < 100; ++i) {
    chooser.machine.metadata.uid = fmt::format("uid-{}", i);
    const std::string name = chooser.name();
    CHECK(chooser.looks == 1);
    CHECK(name == chooser.name());
    chosen.insert(name);
  }
  CHECK(chosen.size() > 80);
}

TEST_CASE("a machine finds the only host that suits it, wherever it is", "[machine]") {
  Chooser chooser;
  for (int i = 0; i < 50; ++i) chooser.candidates.put(freeHost(fmt::format("host{}", i), {{"role", "spare"}}));
  chooser.candidates.put(freeHost(fmt::format("host{}", GENERATE(range(0, 50))), {{"role", "worker"}}));
  api::capm3::v1beta2::HostSelector wanted;
  wanted.matchLabels["role"] = "worker";
  chooser.selector = HostSelector(wanted);
  const auto* host = chooser.choice().host;
  REQUIRE(host != nullptr);
  CHECK(host->metadata.labels.at("role") == "worker");
}

TEST_CASE("that no free host has the labels which a selector asks for is found out once", "[machine]") {
  Chooser chooser;
  for (int i = 0; i < 2000; ++i) chooser.candidates.put(freeHost(fmt::format("host{}", i), {{"role", "spare"}}));
  api::capm3::v1beta2::HostSelector wanted;
  wanted.matchLabels["role"] = "worker";
  chooser.selector = HostSelector(wanted);
  chooser.machine.spec.failureDomain = GENERATE("", "rack-9");
  chooser.hidden = {"host7"};  // it cannot be read just now
  CHECK(chooser.name().empty());
  chooser.hidden.clear();
  CHECK(chooser.name().empty());
  CHECK(chooser.looks == 2000);
  CHECK(chooser.name().empty());
  CHECK(chooser.looks == 0);
  SECTION("by this selector") {
    chooser.selector = HostSelector();
    CHECK_FALSE(chooser.name().empty());
  }
  SECTION("until there is a host that has them") {
    chooser.candidates.put(freeHost("new", {{"role", "worker"}}));
    CHECK(chooser.name() == "new");
  }
  SECTION("and not anew with each other host that comes") {
    chooser.candidates.put(freeHost("new", {{"role", "spare"}}));
    CHECK(chooser.name().empty());
    CHECK(chooser.looks == 0);
  }
  SECTION("until one changes") {
    chooser.candidates.put(freeHost("host3", {{"role", "worker"}}));
    CHECK(chooser.name() == "host3");
  }
}

TEST_CASE("a host that changes, goes, or cannot be read is chosen no more", "[machine]") {
  Chooser chooser;
  chooser.candidates.put(freeHost("a"));
  CHECK(chooser.name() == "a");
  SECTION("it has a consumer") {
    auto taken = freeHost("a");
    taken.spec.consumerRef = kube::ObjectReference{.kind = "Metal3Machine", .namespace_ = "metal", .name = "other"};
    chooser.candidates.put(taken);
  }
  SECTION("it is kept for others") { chooser.candidates.put(freeHost("a", {{kKeptFor, "md-others"}})); }
  SECTION("it is not known any more") { CHECK(chooser.candidates.drop("a")); }
  SECTION("it cannot be read") { chooser.hidden = {"a"}; }
  CHECK(chooser.name().empty());
  chooser.candidates.drop("a");
  CHECK_FALSE(chooser.candidates.drop("a"));
  CHECK(chooser.candidates.all().empty());
}

TEST_CASE("a host of the wanted failure domain comes first, and then any", "[machine]") {
  Chooser chooser;
  for (int i = 0; i < 20; ++i) chooser.candidates.put(freeHost(fmt::format("host{}", i)));
  chooser.candidates.put(freeHost("there", {{kRack, "rack-2"}}));
  chooser.machine.spec.failureDomain = "rack-2";
  CHECK(chooser.name() == "there");
  chooser.candidates.put(freeHost("there", {{kRack, "rack-3"}}));
  CHECK_FALSE(chooser.name().empty());
  chooser.candidates.drop("there");
  CHECK_FALSE(chooser.name().empty());
  chooser.machine.spec.failureDomain = "not a label!";
  CHECK_THROWS_AS(chooser.choice(), MachineError);
}

TEST_CASE("a host that is kept for the machine's owner comes before all others, and is waited for", "[machine]") {
  Chooser chooser;
  chooser.nodeReuse = "md-workers";
  auto kept = freeHost("kept", {{kKeptFor, "md-workers"}});
  kept.spec.consumerRef = kube::ObjectReference{.kind = "Cluster", .name = "c"};
  kept.status.provisioning.state = "deprovisioning";
  chooser.candidates.put(freeHost("a"));
  chooser.candidates.put(kept);
  const HostChoice waiting = chooser.choice();
  CHECK(waiting.host == nullptr);
  REQUIRE(waiting.awaited != nullptr);
  CHECK(waiting.awaited->metadata.name == "kept");
  kept.status.provisioning.state = "available";
  chooser.candidates.put(kept);
  CHECK(chooser.choice().forReuse);
  CHECK(chooser.name() == "kept");
  chooser.hidden = {"kept"};
  CHECK(chooser.name() == "a");
}
