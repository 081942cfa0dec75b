// A Redfish driver, its governor and a fake BMC under a manual clock.
#pragma once

#include "bmc/power_change.hpp"
#include "tests/bmc/fake_redfish.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/no_processes.hpp"

#include <stdexcept>

namespace ingot::tests {

struct RedfishBench : Loop {
  explicit RedfishBench(std::string password = "s3cret") : transport(runtime), governor(runtime, {}) {
    transport.serve("https://bmc.example:443", fake);
    driver = bmc::openDriver(
        runtime, {transport, processes},
        {.address = bmc::parseAddress("redfish://bmc.example"), .login = {"admin", base::Secret(std::move(password))}});
  }
  ~RedfishBench() { run(transport.close()); }

  bmc::PowerReading read() { return run(driver->readPower()); }
  bmc::PowerChange change(bmc::PowerAction action) {
    return run(bmc::changePower(clock, governor, *driver, bmc::Lane::operatorCommand, action, {}));
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
  net::Loopback transport;
  NoProcesses processes;
  bmc::Governor governor;
  std::unique_ptr<bmc::Driver> driver;
  std::string text;
};

}  // namespace ingot::tests
