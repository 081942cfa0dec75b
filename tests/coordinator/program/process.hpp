// A whole coordinator on its embedded API, in process.
#pragma once

#include "coordinator/coordinator.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {

struct Process : Loop {
  // Has been ready for `settled`. Without `crds` with those that it brings along.
  Process(std::string controllers, std::function<std::vector<json::Object>()> crds, base::Duration settled) {
    coordinator::Surroundings around{.transport = network,
                                     .environment = [](std::string_view) { return std::nullopt; },
                                     .ready = [this] { isReady = true; }};
    if (crds) around.crds = std::move(crds);
    around.store.commit = apiserver::StoreOptions::Commit::inLine;
    coordinator::Options options{.embedded = true,
                                 .dataDir = folder.path(),
                                 .listen = "",
                                 .provisioner = coordinator::Backend::fixture,
                                 .agentsEndpoint = "",
                                 .metricsAddress = "0",
                                 .healthAddress = "0"};
    if (!controllers.empty()) options.controllers = std::move(controllers);
    program = std::make_unique<coordinator::Coordinator>(runtime, std::move(options), std::move(around));
    tasks.spawn("coordinator", program->run());
    REQUIRE(clock.advanceUntil([this] { return isReady; }, std::chrono::minutes(1)));
    clock.advance(settled);
  }
  ~Process() {
    run(tasks.close());
    program.reset();
    run(network.close());
  }

  TemporaryFolder folder;
  net::Loopback network{runtime};
  bool isReady = false;
  std::unique_ptr<coordinator::Coordinator> program;
  base::TaskGroup tasks{runtime.executor, runtime.log};
};

}  // namespace ingot::tests
