// What machines that wait for hosts cost, however many they are: hosts looked at.
#include "coordinator/machine/told_refusals.hpp"

#include "base/vital.hpp"
#include "tests/coordinator/machine/site.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;
using coordinator::machine::HostPool;
using coordinator::machine::HostSelector;
using coordinator::machine::HostWish;
using coordinator::machine::ToldRefusals;

namespace {

// The hosts of the site as a controller sees them.
class WaitingRoom : public MachineSite {
 public:
  WaitingRoom() {
    hosts_.start(tasks_.group());
    settle();
  }
  ~WaitingRoom() { run(tasks_.close()); }

  void addHosts(int count) {
    for (int i = 0; i < count; ++i) {
      BareMetalHost host;
      host.metadata = {.name = fmt::format("h{}", i), .namespace_ = "metal"};
      create(host);
    }
    settle();
  }

 private:
  std::unique_ptr<kube::Client> client_ = kube::connect(loop.runtime, network(), {.server = kProcess});
  kube::Cache<BareMetalHost> hosts_{loop.runtime, client_->api()};
  base::VitalTasks tasks_{loop.runtime.executor, loop.runtime.log};

 public:
  HostPool pool{hosts_};
  ToldRefusals refusals{pool, nullptr};
};

}  // namespace

TEST_CASE("machines that ask for the same and wait share one look at the hosts", "[machine][waiting]") {
  const int count = GENERATE(500, 2000);
  WaitingRoom room;
  room.addHosts(count);
  const HostSelector selector;
  Metal3Machine machine;
  machine.metadata.namespace_ = "metal";
  const std::string text = fmt::format("{0} hosts: {0} not available (not registered yet)", count);
  int told = 0;
  const auto askAll = [&] {
    for (int i = 0; i < count; ++i) {
      machine.metadata.uid = fmt::format("uid-{}", i);
      const HostWish wish{machine, selector, ""};
      if (room.pool.choose(wish).host == nullptr && room.refusals.whyNoHost(wish) == text) ++told;
    }
  };
  for (int round = 0; round < 10; ++round) askAll();  // each half minute
  CHECK(told == 10 * count);
  CHECK(room.refusals.made() == 1);
  SECTION("until they are others") {
    room.patchStatus<BareMetalHost>("h0", R"({"status":{"provisioning":{"state":"inspecting","ID":""},)"
                                          R"("operationalStatus":"OK","poweredOn":false,"errorMessage":""}})");
    room.settle();
    const HostWish wish{machine, selector, ""};
    CHECK_THAT(room.refusals.whyNoHost(wish), Catch::Contains("inspecting"));
    CHECK(room.refusals.made() == 2);
  }
  SECTION("and another wish is another one") {
    const HostWish wish{machine, selector, "md-workers"};
    static_cast<void>(room.refusals.whyNoHost(wish));
    CHECK(room.refusals.made() == 2);
  }
}
