// A Redfish driver and a fake BMC under a manual clock.
#pragma once

#include "bmc/bmc_pool.hpp"
#include "bmc/each_capability.hpp"
#include "bmc/power_change.hpp"
#include "tests/bmc/bench_transport.hpp"
#include "tests/bmc/fake_redfish.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/no_processes.hpp"

#include <stdexcept>

namespace ingot::tests {

struct RedfishBench : Loop {
  explicit RedfishBench(const std::string& password = "s3cret")
      : transport(runtime), pool(runtime, {transport, processes}, {}) {
    transport.serve("https://bmc.example:443", fake);
    driver = open(password);
  }
  ~RedfishBench() { run(transport.close()); }

  std::unique_ptr<bmc::Driver> open(const std::string& password = "s3cret",
                                    const std::string& address = "redfish://bmc.example") {
    return pool.open({.address = bmc::parseAddress(address), .login = {"admin", base::Secret(password)}});
  }
  bmc::PowerReading read() { return run(driver->power->readPower(bmc::Lane::polling)); }
  void request(bmc::PowerAction action, bmc::WritePermit permit = {}) {
    run(driver->power->requestPower(bmc::Lane::operatorCommand, action, std::move(permit)));
  }
  bmc::PowerChange change(bmc::PowerAction action) {
    return run(bmc::changePower(clock, *driver->power, bmc::Lane::operatorCommand, action, {}));
  }
  // How `attempt` failed; its text stays in `text`.
  template <class Attempt>
  bmc::Error::Code failureOf(Attempt attempt) {
    try {
      attempt();
    } catch (const bmc::Error& error) {
      text = error.what();
      return error.code();
    }
    throw std::logic_error("nothing failed");
  }
  bmc::Error::Code readFailure() {
    return failureOf([this] { read(); });
  }
  bmc::Error::Code changeFailure(bmc::PowerAction action) {
    return failureOf([this, action] { change(action); });
  }

  // Answers every request for this path with `response` as often as told.
  void answer(std::string path, net::HttpResponse response, int times = 1000) {
    fake.instead = [path, response,
                    times](const net::ServerRequest& request) mutable -> std::optional<net::HttpResponse> {
      if (request.path() != path || times-- <= 0) return std::nullopt;
      return response;
    };
  }
  [[nodiscard]] int resets() const { return static_cast<int>(fake.journal.size()); }

  FakeRedfish fake;
  BenchTransport transport;
  NoProcesses processes;
  bmc::BmcPool pool;
  std::unique_ptr<bmc::Driver> driver;
  std::string text;
};

}  // namespace ingot::tests
