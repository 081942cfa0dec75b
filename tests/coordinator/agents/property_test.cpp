// Random schedules of cuts, deaths, Ironic's work and power wishes. Each failure prints its seed.
#include "tests/coordinator/agents/site.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

constexpr auto deploy =
    R"({"spec":{"image":{"url":"http://i/a.raw","checksum":"http://i/s","checksumType":"sha256","format":"raw"}}})";

class Schedule {
 public:
  Schedule(Site& site, base::Random& random) : site_(site), random_(random) {}

  void run(int steps) {
    for (int i = 0; i < steps && site_.broken.empty(); ++i) {
      step();
      site_.pass(std::chrono::milliseconds(200 + random_.below(9000)));
    }
  }
  void heal() {
    for (const auto name : {"left", "right"}) {
      site_.mend(name);
      if (!site_.box(name).life || !*site_.box(name).life->alive) restart(name);
    }
    if (!coordinatorAlive_) site_.startCoordinator();
  }

 private:
  void step() {
    const std::string agent = random_.below(2) == 0 ? "left" : "right";
    const std::string host = random_.below(2) == 0 ? "a" : "b";
    switch (random_.below(9)) {
      case 0: site_.cut(agent); return;
      case 1:
      case 2: site_.mend(agent); return;
      case 3: restart(agent); return;
      case 4: flipCoordinator(); return;
      case 5: site_.patchHost(host, random_.below(2) == 0 ? deploy : R"({"spec":{"image":null}})"); return;
      default: site_.setOnline(host, random_.below(2) == 0); return;
    }
  }
  void restart(const std::string& name) {
    site_.killAgent(name);
    site_.startAgent(name);
  }
  void flipCoordinator() {
    if (coordinatorAlive_)
      site_.killCoordinator();
    else
      site_.startCoordinator();
    coordinatorAlive_ = !coordinatorAlive_;
  }

  Site& site_;
  base::Random& random_;
  bool coordinatorAlive_ = true;
};

}  // namespace

TEST_CASE("whatever happens: no agent writes while Ironic owns the host, no command is begun twice, all heals",
          "[property]") {
  const auto seed = GENERATE(range(1, 9));
  INFO("seed " << seed);
  const auto random = base::seededRandom(static_cast<std::uint64_t>(seed));
  Site site;
  site.serveAll("left");
  site.serveAll("right");
  for (const auto& [name, address] : {std::pair{"a", "10.0.0.1"}, std::pair{"b", "10.0.0.2"}}) {
    site.addHost(name, address, false);
    site.bmc(address).before = [&site, &random](const auto&) {
      return site.runtime.clock.sleepFor(std::chrono::milliseconds(random->below(1500)));
    };
  }
  Schedule schedule(site, *random);
  schedule.run(60);
  CAPTURE(site.broken);
  CHECK(site.broken.empty());
  CHECK(site.box("left").journal.repeated + site.box("right").journal.repeated == 0);
  CHECK(site.resets("10.0.0.1") + site.resets("10.0.0.2") <=
        site.box("left").journal.begun + site.box("right").journal.begun);

  schedule.heal();
  for (const auto name : {"a", "b"}) {
    const auto healed = [&] {
      const auto* host = site.host(name);
      return (site.state(name) == "available" || site.state(name) == "provisioned") &&
             site.powerKnown(name) == "True" && host->status.poweredOn == host->spec.online &&
             host->status.operationalStatus == "OK";
    };
    CHECK(site.until(healed, 1h));
  }
  CHECK(site.broken.empty());
}
