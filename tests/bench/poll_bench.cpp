// Redfish power polls per second of client CPU over TLS: governor and driver beside a bare libcurl loop that sends the
// same request to the same service, one host after the other or many at once. Both in one run, in turns; the medians
// count, and only the polling thread's CPU.
#include "base/run.hpp"
#include "bmc/bmc_pool.hpp"
#include "bmc/governor.hpp"
#include "net/certificates.hpp"
#include "tests/bmc/fake_redfish.hpp"
#include "tests/support/no_processes.hpp"

#include <curl/curl.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <future>
#include <thread>

namespace {

using namespace ingot;

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

  [[nodiscard]] std::string url(std::string_view scheme) const {
    return fmt::format("{}://{}/redfish/v1/Systems/1", scheme, base_);
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

// One easy handle on one kept connection; answers are collected and dropped unread.
class BareLoop {
 public:
  BareLoop(const std::string& url, const std::string& caFile) {
    for (const auto* line : {"Accept: application/json", "OData-Version: 4.0", "Accept-Encoding: identity",
                             "Authorization: Basic YWRtaW46czNjcmV0"})
      headers_ = curl_slist_append(headers_, line);
    curl_easy_setopt(easy_, CURLOPT_URL, url.c_str());
    curl_easy_setopt(easy_, CURLOPT_HTTPHEADER, headers_);
    curl_easy_setopt(easy_, CURLOPT_USERAGENT, "ingot-agent");
    curl_easy_setopt(easy_, CURLOPT_CAINFO, caFile.c_str());
    curl_easy_setopt(easy_, CURLOPT_WRITEFUNCTION, collect);
    curl_easy_setopt(easy_, CURLOPT_WRITEDATA, &answer_);
    curl_easy_setopt(easy_, CURLOPT_TIMEOUT_MS, 60000L);
    curl_easy_setopt(easy_, CURLOPT_NOSIGNAL, 1L);
    poll();
  }
  ~BareLoop() {
    curl_easy_cleanup(easy_);
    curl_slist_free_all(headers_);
  }
  BareLoop(const BareLoop&) = delete;
  BareLoop& operator=(const BareLoop&) = delete;

  void poll() {
    answer_.clear();
    long status = 0;
    if (curl_easy_perform(easy_) != CURLE_OK) throw base::Error("a poll of the bare loop failed");
    curl_easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
    if (status != 200) throw base::Error(fmt::format("the bare loop was answered {}", status));
  }

 private:
  static std::size_t collect(char* data, std::size_t size, std::size_t count, void* into) {
    static_cast<std::string*>(into)->append(data, size * count);
    return size * count;
  }

  CURL* easy_ = curl_easy_init();
  curl_slist* headers_ = nullptr;
  std::string answer_;
};

double rateOf(const std::vector<std::unique_ptr<BareLoop>>& loops, int polls) {
  const double before = threadCpu();
  for (int i = 0; i < polls; ++i) loops[static_cast<std::size_t>(i) % loops.size()]->poll();
  return polls / (threadCpu() - before);
}

// One host of an agent's: what is done for it every few seconds.
struct Host {
  Host(base::Runtime runtime, bmc::Transports transports, const std::string& address, const std::string& caFile)
      : driver(bmc::openDriver(
            runtime, transports,
            {.address = bmc::parseAddress(address), .login = {"admin", base::Secret("s3cret")}, .caFile = caFile})) {}

  base::Task<void> poll(int polls) {
    for (int i = 0; i < polls; ++i) {
      const auto reading = co_await driver->readPower(bmc::Lane::polling);
      if (reading.power != bmc::Power::off) throw base::Error("a poll read another power than the service's");
    }
  }

  std::unique_ptr<bmc::Driver> driver;
};

// Hosts on one loop, polled at the same time.
class Ours {
 public:
  Ours(const std::string& address, const std::string& caFile, int hosts) {
    for (int i = 0; i < hosts; ++i)
      hosts_.push_back(
          std::make_unique<Host>(side_.runtime, bmc::Transports{*transport_, processes_}, address, caFile));
    rate(hosts);
  }
  ~Ours() {
    for (const auto& host : hosts_) base::run(side_.io, host->driver->close());
  }
  Ours(const Ours&) = delete;
  Ours& operator=(const Ours&) = delete;

  double rate(int polls) {
    const double before = threadCpu();
    const int each = polls / static_cast<int>(hosts_.size());
    base::run(side_.io, pollAll(each));
    return each * static_cast<double>(hosts_.size()) / (threadCpu() - before);
  }

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

void measure(const Service& service, const std::string& caFile, int hosts, int polls, int rounds) {
  std::vector<std::unique_ptr<BareLoop>> bare;
  bare.reserve(static_cast<std::size_t>(hosts));
  for (int i = 0; i < hosts; ++i) bare.push_back(std::make_unique<BareLoop>(service.url("https"), caFile));
  Ours ours(service.url("redfish"), caFile, hosts);
  std::vector<double> bareRates, ourRates, ratios;
  for (int round = 0; round < rounds; ++round) {
    bareRates.push_back(rateOf(bare, polls));
    ourRates.push_back(ours.rate(polls));
    ratios.push_back(ourRates.back() / bareRates.back());
  }
  fmt::print("{} at once | {:.0f} | {:.0f} | {:.0f} %\n", hosts, median(bareRates), median(ourRates),
             100 * median(ratios));
}

}  // namespace

int main(int argc, char** argv) {
  const int polls = argc > 1 ? std::atoi(argv[1]) : 1000;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 9;
  const std::string caFile = fmt::format("/tmp/ingot-poll-bench-{}.pem", ::getpid());
  base::SystemClock clock;
  const auto ca = net::CertificateAuthority::create("bench", clock.wall());
  auto identity =
      ca.issue(net::ServerCertificate{.commonName = "127.0.0.1", .ipAddresses = {"127.0.0.1"}}, clock.wall());
  std::ofstream(caFile) << ca.certificatePem();
  const Service service(
      {.certificatePem = identity.certificatePem, .privateKeyPem = std::move(identity.privateKeyPem)});
  fmt::print("power polls over TLS per second of client CPU, median of {} rounds of {}\n", rounds, polls);
  fmt::print("BMCs | bare libcurl | ingot | ratio\n");
  for (const int hosts : {1, 32}) measure(service, caFile, hosts, polls, rounds);
  std::remove(caFile.c_str());
  return 0;
}
