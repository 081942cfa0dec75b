// An IPMI driver, and runs of ipmitool that end as told.
#pragma once

#include "bmc/bmc_pool.hpp"
#include "bmc/each_capability.hpp"
#include "net/loopback.hpp"
#include "tests/bmc/ipmi_results.hpp"
#include "tests/support/loop.hpp"

#include <algorithm>
#include <deque>

namespace ingot::tests {

// A runner whose runs end as told; the last result holds for all further runs.
class Endings final : public base::ProcessRunner {
 public:
  std::deque<base::ProcessResult> next;
  std::deque<base::ProcessResult> sessions;  // of the first contact, which asks `mc info`; then they are opened
  std::vector<std::string> commands, suites;
  base::Clock* clock = nullptr;
  base::Duration takes{};
  std::vector<base::Duration> limits;

  base::Task<base::ProcessResult> run(base::ProcessSpec spec) override {
    const auto secretBefore = std::ranges::find(spec.argv, "-E");
    limits.push_back(spec.deadline);
    suites.push_back(*(std::ranges::find(spec.argv, "-C") + 1));
    commands.push_back(fmt::format("{}", fmt::join(secretBefore + 1, spec.argv.end(), " ")));
    if (takes > base::Duration{}) co_await clock->sleepFor(takes);
    if (commands.back().ends_with("mc info")) {
      auto session = sessions.empty() ? said("Device ID : 32\n") : sessions.front();
      if (!sessions.empty()) sessions.pop_front();
      co_return session;
    }
    auto result = next.front();
    if (next.size() > 1) next.pop_front();
    co_return result;
  }
};

inline constexpr auto firstContact = "-v mc info";

struct IpmiBench : Loop {
  Endings processes;
  net::Loopback http{runtime};
  std::unique_ptr<bmc::Driver> driver =
      bmc::openDriver(runtime, {http, processes},
                      {.address = bmc::parseAddress("ipmi://10.0.0.1"), .login = {"admin", base::Secret("secret")}});

  IpmiBench() { processes.clock = &clock; }
  ~IpmiBench() { run(http.close()); }
  bmc::PowerReading read() { return run(driver->power->readPower(bmc::Lane::polling)); }
  void request(bmc::PowerAction action, bmc::WritePermit permit = {}) {
    run(driver->power->requestPower(bmc::Lane::operatorCommand, action, std::move(permit)));
  }
  bmc::Error::Code readFailure() {
    try {
      (void)read();
    } catch (const bmc::Error& error) {
      return error.code();
    }
    throw std::logic_error("nothing failed");
  }
};

}  // namespace ingot::tests
