// Random lives of two agents, their objects and coordinators: never two that may write to one BMC
// (docs/architecture.md).
#include "tests/coordinator/agents/site.hpp"
#include "tests/support/seed_range.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

constexpr auto names = std::array{"left", "right"};
constexpr auto hosts = std::array{"a", "b"};

class Mischief {
 public:
  Mischief(Site& site, base::Random& random) : site_(site), random_(random) {}

  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      step();
      watch(std::chrono::milliseconds(50 + random_.below(random_.below(3) == 0 ? 25000 : 3000)));
    }
  }

  void heal() {
    if (!leads_) site_.startCoordinator();
    for (const auto* name : names) {
      site_.mend(name);
      if (!site_.box(name).life) site_.startAgent(name);
    }
    for (const auto* name : names) {
      watch(30s);
      site_.approve(name, R"({"drain":false})");
    }
    for (const auto* host : hosts) site_.patchHost(host, R"({"metadata":{"annotations":{"ingot.dev/agent":null}}})");
    watch(20s);
  }

  std::string story;
  int most = 0, held = 0;

 private:
  void watch(base::Duration time) {
    constexpr base::Duration slice = 100ms;
    for (base::Duration passed{}; passed < time; passed += slice) {
      site_.pass(slice);
      for (const auto* host : hosts) {
        most = std::max(most, site_.holders(host));
        held += site_.holders(host);
      }
    }
  }

  void step() {
    const std::string agent = names[random_.below(2)], host = hosts[random_.below(2)];
    const auto what = random_.below(14);
    story += fmt::format(" {}{}", what, agent[0]);
    switch (what) {
      case 0: return site_.cut(agent);
      case 1:
      case 2: return site_.mend(agent);
      case 3: return site_.killAgent(agent);
      case 4: site_.killAgent(agent); return site_.startAgent(agent);
      case 5:
      case 6:
      case 7: return flipCoordinator();
      case 8: return site_.removeAgent(agent);
      case 9: return change(agent, R"({"approved":false})");
      case 10: return change(agent, random_.below(2) == 0 ? R"({"drain":true})" : R"({"drain":false})");
      case 11:
        return site_.patchHost(host,
                               fmt::format(R"({{"metadata":{{"annotations":{{"ingot.dev/agent":"{}"}}}}}})", agent));
      case 12: return change(agent, "{}");
      default: return site_.setOnline(host, random_.below(2) == 0);
    }
  }

  void change(const std::string& agent, const std::string& patch) {
    if (const auto object = site_.agentObject(agent); object && !object->metadata.beingDeleted())
      site_.changeAgent(agent, patch);
  }

  void flipCoordinator() {
    if (leads_)
      site_.killCoordinator();
    else
      site_.startCoordinator();
    leads_ = !leads_;
  }

  Site& site_;
  base::Random& random_;
  bool leads_ = true;
};

}  // namespace

TEST_CASE("whatever happens to agents, their objects and coordinators, at most one may write to a BMC", "[property]") {
  const SeedRange range = seedRange(1, 9);
  for (auto seed = range.first; seed < range.last; ++seed) {
    const auto random = base::seededRandom(seed);
    Site site(Site::With::fixture);
    for (const auto* name : names) site.serveAll(name);
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      const auto address = fmt::format("10.0.0.{}", i + 1);
      site.addHost(hosts[i], address, false);
      site.bmc(address).before = [&site, &random](const auto&) {
        return site.runtime.clock.sleepFor(std::chrono::milliseconds(random->below(1500)));
      };
    }
    Mischief mischief(site, *random);
    mischief.run(40);
    INFO("seed " << seed << ":" << mischief.story);
    CHECK(mischief.most <= 1);
    CHECK(site.box("left").journal.repeated + site.box("right").journal.repeated == 0);
    mischief.heal();
    for (const auto* host : hosts) CHECK(site.until([&] { return site.settled(host); }, 1h));
    CHECK(mischief.held > 0);  // somebody did work
    CHECK(mischief.most <= 1);
  }
}
