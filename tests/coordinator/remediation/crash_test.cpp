// A process that dies before or after any of its writes, in either cluster, is followed by one that comes to the same
// end.
#include "coordinator/remediation/power_hold.hpp"
#include "tests/coordinator/remediation/site.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;

namespace {

using Death = ApiSite::Death;
using Moment = WorkloadCluster::Moment;

// Where the process dies: at a write to the management cluster, or to the workload cluster.
struct Fate {
  std::optional<std::size_t> management, workload;
  Death death = Death::before;
};

class Story {
 public:
  Story(const std::string& version, const Fate& fate) : site(version) {
    if (fate.management) site.dieAtWrite = site.writes.size() + *fate.management;
    site.death = fate.death;
    site.workload.onWrite = [this, fate](Moment moment) {
      const std::size_t at = site.workload.writes.size() - (moment == Moment::after ? 1 : 0);
      if (fate.workload != at || deaths_ > 0 || (moment == Moment::before) != (fate.death == Death::before)) return;
      site.dead = true;
      site.workload.reachable = false;
    };
  }

  // The host obeys, the kubelet follows the host, and a process that has died is started again.
  void live(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      site.settle(5s);
      if (site.dead) {
        ++deaths_;
        site.workload.reachable = true;
        site.restart();
        site.settle(5s);
      }
      const bool wasOn = site.host().status.poweredOn;
      if (!site.node() && !nodeIsGone_) {
        nodeIsGone_ = true;
        CHECK_FALSE(wasOn);  // it was fenced
      }
      site.obey();
      if (site.host().status.poweredOn && !site.node()) site.join();
      site.settle(40s);
    }
  }

  // How often the process was found dead: a fate that is never met proves nothing.
  [[nodiscard]] int deaths() const { return deaths_; }

  RemediationSite site;

 private:
  int deaths_ = 0;
  bool nodeIsGone_ = false;
};

void checkNothingLeft(RemediationSite& site) {
  CHECK(site.host().status.poweredOn);
  CHECK(coordinator::remediation::holdersOf(site.host()).empty());
  REQUIRE(site.node());
  CHECK_FALSE(site.isTainted());
  CHECK(site.node()->metadata.labels.contains("role"));
  CHECK(site.node()->metadata.annotations.contains("note"));
}

// Restarted, and well again.
void recover(Story& story) {
  // A process that knows no more since when the host says off waits for long.
  story.site.remediate([](Metal3Remediation& it) { it.spec.strategy->timeoutSeconds = 1800; });
  story.live(18);
  CHECK(story.site.phase() == "Waiting");
  CHECK(story.site.it().status.retryCount == 0);
  CHECK_FALSE(story.site.hasFinalizer());
  story.site.healthy(true);
  story.site.remove<Metal3Remediation>("m1");
  story.live(1);
  CHECK_FALSE(story.site.exists());
  checkNothingLeft(story.site);
}

// Taken back half way.
void takeBack(Story& story) {
  story.site.remediate();
  story.live(1);
  story.site.remove<Metal3Remediation>("m1");
  story.live(4);
  CHECK_FALSE(story.site.exists());
  checkNothingLeft(story.site);
}

// It never goes off, and is handed over.
void giveUp(Story& story) {
  story.site.obeys = false;
  story.site.remediate([](Metal3Remediation& it) { it.spec.strategy->timeoutSeconds = 100; });
  story.live(9);  // the next process gives the attempt its whole time
  CHECK(story.site.phase() == "Deleting machine");
  CHECK_FALSE(story.site.hasFinalizer());
  CHECK(story.site.ownerRemediated() == "False/WaitingForRemediation: Waiting for remediation");
  CHECK(story.site.host().metadata.annotations.contains("capm3.metal3.io/unhealthy"));
  checkNothingLeft(story.site);
}

void dieAtEach(const std::string& version, void (*tell)(Story&)) {
  std::size_t management = 0, workload = 0;
  {
    Story story(version, {});
    tell(story);
    management = story.site.writes.size();
    workload = story.site.workload.writes.size();
  }
  REQUIRE(management >= 4);
  for (const Death death : {Death::before, Death::after}) {
    const std::string when = death == Death::before ? "before" : "after";
    for (std::size_t at = 0; at < management; ++at) {
      INFO(when << " write " << at);
      Story story(version, {.management = at, .workload = {}, .death = death});
      tell(story);
      CHECK(story.deaths() == 1);
    }
    for (std::size_t at = 0; at < workload; ++at) {
      INFO(when << " write " << at << " to the workload cluster");
      Story story(version, {.management = {}, .workload = at, .death = death});
      tell(story);
      CHECK(story.deaths() == 1);
    }
  }
}

}  // namespace

TEST_CASE("a process may die at any write of a restart", "[remediation]") {
  SECTION("with the taint") { dieAtEach("28", recover); }
  SECTION("without") { dieAtEach("27", recover); }
}

TEST_CASE("a process may die at any write of a remediation that is taken back", "[remediation]") {
  SECTION("with the taint") { dieAtEach("28", takeBack); }
  SECTION("without") { dieAtEach("27", takeBack); }
}

TEST_CASE("a process may die at any write of a hand-over", "[remediation]") { dieAtEach("28", giveUp); }
