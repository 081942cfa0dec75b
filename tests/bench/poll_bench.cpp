// Redfish power polls per second of client CPU over TLS: our driver beside a bare libcurl loop, in one run.
// The service runs on a thread of its own; only the polling thread's CPU counts.
#include "base/run.hpp"
#include "bmc/driver.hpp"
#include "net/certificates.hpp"
#include "tests/bmc/fake_redfish.hpp"
#include "tests/support/no_processes.hpp"

#include <curl/curl.h>
#include <sys/resource.h>

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
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Service {
  std::promise<std::uint16_t> port;
  std::promise<void> stop;
  std::string caPem;
};

void serve(Service& service, net::ServerTls tls) {
  Side side;
  tests::FakeRedfish bmc;
  const auto server = net::listen(side.runtime, {.tls = std::move(tls)}, bmc);
  service.port.set_value(server->port());
  auto stopped = service.stop.get_future();
  while (stopped.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    side.io.run_for(std::chrono::milliseconds(50));
  base::run(side.io, server->stop(std::chrono::seconds(0)));
}

std::size_t discard(char*, std::size_t size, std::size_t count, void*) { return size * count; }

double bareLoop(const std::string& base, const std::string& caFile, int polls) {
  CURL* curl = curl_easy_init();
  curl_easy_setopt(curl, CURLOPT_URL, (base + "/redfish/v1/Systems/1").c_str());
  curl_easy_setopt(curl, CURLOPT_CAINFO, caFile.c_str());
  curl_easy_setopt(curl, CURLOPT_USERPWD, "admin:s3cret");
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, discard);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  if (curl_easy_perform(curl) != CURLE_OK) throw base::Error("the bare loop cannot reach the service");
  const double before = threadCpu();
  for (int i = 0; i < polls; ++i)
    if (curl_easy_perform(curl) != CURLE_OK) throw base::Error("a poll of the bare loop failed");
  const double used = threadCpu() - before;
  curl_easy_cleanup(curl);
  return polls / used;
}

base::Task<double> poll(bmc::Driver& driver, int polls) {
  static_cast<void>(co_await driver.readPower());
  const double before = threadCpu();
  for (int i = 0; i < polls; ++i) static_cast<void>(co_await driver.readPower());
  co_return polls / (threadCpu() - before);
}

double ourDriver(std::uint16_t port, const std::string& caFile, int polls) {
  Side side;
  const auto transport = net::curlTransport(side.runtime);
  tests::NoProcesses processes;
  const auto driver =
      bmc::openDriver(side.runtime, {*transport, processes},
                      {.address = bmc::parseAddress(fmt::format("redfish://127.0.0.1:{}/redfish/v1/Systems/1", port)),
                       .login = {"admin", base::Secret("s3cret")},
                       .caFile = caFile});
  const double rate = base::run(side.io, poll(*driver, polls));
  base::run(side.io, driver->close());
  return rate;
}

}  // namespace

int main(int argc, char** argv) {
  const int polls = argc > 1 ? std::atoi(argv[1]) : 3000;
  const std::string caFile = "/tmp/ingot-poll-bench-ca.pem";
  base::SystemClock clock;
  const auto ca = net::CertificateAuthority::create("bench", clock.wall());
  const auto identity =
      ca.issue(net::ServerCertificate{.commonName = "127.0.0.1", .ipAddresses = {"127.0.0.1"}}, clock.wall());
  std::ofstream(caFile) << ca.certificatePem();

  Service service;
  std::thread thread(
      [&] { serve(service, {.certificatePem = identity.certificatePem, .privateKeyPem = identity.privateKeyPem}); });
  const auto port = service.port.get_future().get();
  const std::string base = fmt::format("https://127.0.0.1:{}", port);
  const double bare = bareLoop(base, caFile, polls);
  const double ours = ourDriver(port, caFile, polls);
  service.stop.set_value();
  thread.join();
  std::remove(caFile.c_str());

  fmt::print("polls per second of client CPU | bare libcurl | ingot | ratio\n");
  fmt::print("{} polls over TLS | {:.0f} | {:.0f} | {:.0f} %\n", polls, bare, ours, 100 * ours / bare);
  return 0;
}
