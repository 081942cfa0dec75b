// Redfish power polls per second of client CPU over TLS: session, governor, driver and the message to the coordinator
// beside bare libcurl that sends the same request to the same service, one BMC after the other and, on the agent's own
// loop for libcurl, all at once. All in one run, in turns; the medians count, and only the polling thread's CPU; the
// last column compares the time that went by, which the service's share of the machine is part of. The service is in
// this process, or with --fleet those of a running ingot-sim, by its ready file.
#include "base/file.hpp"
#include "base/run.hpp"
#include "bmc/bmc_pool.hpp"
#include "bmc/capability/power.hpp"
#include "bmc/governor.hpp"
#include "net/certificates.hpp"
#include "tests/bench/bare_polls.hpp"
#include "tests/bmc/fake_redfish.hpp"
#include "tests/support/no_processes.hpp"
#include "wire/codec.hpp"

#include <time.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <future>
#include <thread>

namespace {

using namespace ingot;
using bench::PolledBmc;

// A loop with everything that hangs on it.
struct Side {
  boost::asio::io_context io{1};
  base::SystemClock clock;
  std::unique_ptr<base::Random> random = base::systemRandom();
  base::Runtime runtime{io.get_executor(), clock, *random, base::Log::silent()};
};

double threadCpu() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9;
}

// The BMC, on a thread of its own.
class Service {
 public:
  explicit Service(net::ServerTls tls) {
    auto port = port_.get_future();
    thread_ = std::thread([this, tls = std::move(tls)] { serve(tls); });
    port.wait();
    base_ = fmt::format("127.0.0.1:{}", port.get());
  }
  ~Service() {
    stop_.set_value();
    thread_.join();
  }
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  // So many times the one that there is.
  [[nodiscard]] std::vector<PolledBmc> bmcs(std::size_t count) const {
    return {count, PolledBmc{base_, "/redfish/v1/Systems/1", "admin", "s3cret"}};
  }

 private:
  void serve(const net::ServerTls& tls) {
    Side side;
    tests::FakeRedfish bmc;
    const auto server = net::listen(side.runtime, {.tls = tls}, bmc);
    port_.set_value(server->port());
    auto stopped = stop_.get_future();
    while (stopped.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
      side.io.run_for(std::chrono::milliseconds(50));
    base::run(side.io, server->stop(std::chrono::seconds(0)));
  }

  std::promise<std::uint16_t> port_;
  std::promise<void> stop_;
  std::thread thread_;
  std::string base_;
};

// One host of an agent's: what is done for it every few seconds.
struct Host {
  Host(base::Runtime runtime, bmc::Transports transports, const PolledBmc& bmc, const std::string& caFile)
      : driver(bmc::openDriver(runtime, transports,
                               {.address = bmc::parseAddress(bmc.url("redfish")),
                                .login = {bmc.user, base::Secret(bmc.password)},
                                .caFile = caFile})) {}

  base::Task<void> poll(int polls) {
    for (int i = 0; i < polls; ++i) {
      const auto reading = co_await driver->power->readPower(bmc::Lane::polling);
      if (reading.power != bmc::Power::off) throw base::Error("a poll read another power than the service's");
      ++told.seq;
      told.power = std::string(toText(reading.power));
      told.rawPower = reading.raw;
      told.health = std::string(toText(reading.health.value_or(bmc::Health::unknown)));
      told.powerAgeMs = told.healthAgeMs = 0;
      if (wire::encode(told).empty()) throw base::Error("nothing is told of a poll");
    }
  }

  std::unique_ptr<bmc::Driver> driver;
  wire::Facts told{.host = "5c3a4c1e-7f0a-4a8e-9f0b-2f8f6f1c0d3e", .term = 1, .lease = 1};
};

// Hosts on one loop, polled at the same time.
class Ours {
 public:
  Ours(const std::vector<PolledBmc>& bmcs, const std::string& caFile) {
    for (const auto& bmc : bmcs)
      hosts_.push_back(std::make_unique<Host>(side_.runtime, bmc::Transports{*transport_, processes_}, bmc, caFile));
    poll(static_cast<int>(bmcs.size()));
  }
  ~Ours() {
    for (const auto& host : hosts_) base::run(side_.io, host->driver->close());
  }
  Ours(const Ours&) = delete;
  Ours& operator=(const Ours&) = delete;

  void poll(int polls) { base::run(side_.io, pollAll(polls / static_cast<int>(hosts_.size()))); }

 private:
  base::Task<void> pollAll(int each) {
    base::TaskGroup polls(side_.runtime.executor, side_.runtime.log);
    std::size_t done = 0;
    for (const auto& host : hosts_) polls.spawn("poll", pollOne(*host, each, done));
    co_await polls.join();
    co_await polls.close();
    if (done != hosts_.size()) throw base::Error("not every host was polled");
  }
  static base::Task<void> pollOne(Host& host, int polls, std::size_t& done) {
    co_await host.poll(polls);
    ++done;
  }

  Side side_;
  std::unique_ptr<net::HttpTransport> transport_ = net::curlTransport(side_.runtime);
  tests::NoProcesses processes_;
  std::vector<std::unique_ptr<Host>> hosts_;
};

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

struct Rate {
  double perCpu = 0;   // polls per second of the calling thread's CPU
  double perWall = 0;  // … of the time that went by
};

Rate rateOf(auto& polls, int count) {
  const double before = threadCpu();
  const auto begun = std::chrono::steady_clock::now();
  polls.poll(count);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  return {count / (threadCpu() - before), count / took.count()};
}

double medianOf(const std::vector<Rate>& rates, double Rate::* which) {
  std::vector<double> values;
  for (const auto& rate : rates) values.push_back(rate.*which);
  return median(std::move(values));
}

// Of each round's, for what else the machine does changes from round to round.
double percentOf(const std::vector<Rate>& ours, const std::vector<Rate>& bare, double Rate::* which) {
  std::vector<double> values;
  for (std::size_t i = 0; i < ours.size(); ++i) values.push_back(100 * ours[i].*which / (bare[i].*which));
  return median(std::move(values));
}

struct Options {
  int polls = 1000, rounds = 9;
  std::string fleet;  // ready file of an ingot-sim
  bool asJson = false;
};

void measure(const std::vector<PolledBmc>& bmcs, const std::string& caFile, const Options& options) {
  bench::BareInTurn inTurn(bmcs, caFile);
  bench::BareAtOnce atOnce(bmcs, caFile);
  Ours ours(bmcs, caFile);
  const int polls = options.polls - options.polls % static_cast<int>(bmcs.size());
  std::vector<Rate> inTurnRates, atOnceRates, ourRates;
  for (int round = 0; round < options.rounds; ++round) {
    inTurnRates.push_back(rateOf(inTurn, polls));
    atOnceRates.push_back(rateOf(atOnce, polls));
    ourRates.push_back(rateOf(ours, polls));
  }
  const double ofCpu = percentOf(ourRates, atOnceRates, &Rate::perCpu);
  const double ofWall = percentOf(ourRates, atOnceRates, &Rate::perWall);
  if (options.asJson)
    fmt::print("{}\n", json::serialize(json::Object{{"bmcs", bmcs.size()},
                                                    {"barePerCpu", medianOf(atOnceRates, &Rate::perCpu)},
                                                    {"barePerWall", medianOf(atOnceRates, &Rate::perWall)},
                                                    {"ingotPerCpu", medianOf(ourRates, &Rate::perCpu)},
                                                    {"ingotPerWall", medianOf(ourRates, &Rate::perWall)},
                                                    {"percentPerCpu", ofCpu},
                                                    {"percentPerWall", ofWall}}));
  else
    fmt::print("{} | {:.0f} | {:.0f} | {:.0f} | {:.0f} % | {:.0f} % | {:.0f} %\n", bmcs.size(),
               medianOf(inTurnRates, &Rate::perCpu), medianOf(atOnceRates, &Rate::perCpu),
               medianOf(ourRates, &Rate::perCpu), percentOf(ourRates, inTurnRates, &Rate::perCpu), ofCpu, ofWall);
  std::fflush(stdout);
}

void printHeads(const Options& options) {
  if (options.asJson) return;
  fmt::print("power polls over TLS per second of client CPU, median of {} rounds of {}\n", options.rounds,
             options.polls);
  fmt::print(
      "BMCs at once | bare libcurl in turn | bare libcurl at once | ingot | of in turn | of at once | throughput of at "
      "once\n");
}

constexpr std::size_t sizes[] = {1, 32};

void measureFleet(const Options& options) {
  const auto fleet = json::parse(base::readFile(options.fleet));
  std::vector<PolledBmc> bmcs;
  for (const auto& machine : fleet.at("machines").as_array())
    bmcs.push_back({fmt::format("{}:{}", json::textAt(machine, {"address"}), machine.at("port").as_int64()),
                    std::string(json::textAt(machine, {"systemPath"})),
                    std::string(json::textAt(machine, {"username"})),
                    std::string(json::textAt(machine, {"password"}))});
  for (const auto size : sizes) {
    if (size > bmcs.size()) throw base::Error(fmt::format("{} BMCs are wanted, the fleet has {}", size, bmcs.size()));
    measure({bmcs.begin(), bmcs.begin() + static_cast<std::ptrdiff_t>(size)}, json::textAt(fleet, {"ca"}), options);
  }
}

void measureOwnService(const Options& options) {
  const std::string caFile = fmt::format("/tmp/ingot-poll-bench-{}.pem", ::getpid());
  base::SystemClock clock;
  const auto ca = net::CertificateAuthority::create("bench", clock.wall());
  auto identity =
      ca.issue(net::ServerCertificate{.commonName = "127.0.0.1", .ipAddresses = {"127.0.0.1"}}, clock.wall());
  std::ofstream(caFile) << ca.certificatePem();
  const Service service(
      {.certificatePem = identity.certificatePem, .privateKeyPem = std::move(identity.privateKeyPem)});
  for (const auto size : sizes) measure(service.bmcs(size), caFile, options);
  std::remove(caFile.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Redfish power polls per second of client CPU, beside bare libcurl.");
  app.add_option("polls", options.polls, "A round")->check(CLI::Range(32, 1'000'000))->capture_default_str();
  app.add_option("rounds", options.rounds)->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_option("--fleet", options.fleet, "Ready file of an ingot-sim with TLS, all machines off")
      ->check(CLI::ExistingFile);
  app.add_flag("--json", options.asJson, "One object a line");
  CLI11_PARSE(app, argc, argv);
  printHeads(options);
  if (options.fleet.empty())
    measureOwnService(options);
  else
    measureFleet(options);
  return 0;
}
