// A fleet on real sockets, and real clients.
#pragma once

#include "base/run.hpp"
#include "sim/fleet/fleet.hpp"
#include "tests/sim/bench.hpp"

namespace ingot::tests {

struct RunningFleet {
  // `accessLog`: a file of the folder.
  explicit RunningFleet(std::vector<sim::MachineSpec> machines, const std::string& accessLog = "")
      : fleet(runtime, *transport, *runner,
              {.machines = std::move(machines),
               .dataFolder = folder.path,
               .httpRoot = folder.path,
               .accessLog = accessLog.empty() ? "" : folder.path + "/" + accessLog}) {
    fleet.start();
  }
  ~RunningFleet() { base::run(loop, fleet.stop()); }

  net::HttpResponse send(net::ClientOptions options, net::HttpRequest request) {
    const auto client = transport->connect(std::move(options));
    return base::run(loop, client->send(std::move(request)));
  }
  json::Value machine(std::size_t i) { return fleet.description().at("machines").at(i); }
  std::string bmc(std::size_t i) { return json::textAt(machine(i), {"url"}); }

  ScratchFolder folder;
  boost::asio::io_context loop{1};
  base::SystemClock clock;
  std::unique_ptr<base::Random> random = base::systemRandom();
  base::Runtime runtime{loop.get_executor(), clock, *random, base::Log::silent()};
  std::unique_ptr<net::HttpTransport> transport = net::curlTransport(runtime);
  std::unique_ptr<base::ProcessRunner> runner = base::systemProcessRunner(runtime.executor, runtime.clock);
  sim::Fleet fleet;
};

}  // namespace ingot::tests
