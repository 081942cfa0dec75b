// What a write costs: a registry over a store, in memory and on disk, one writer or many at once.
#include "apiserver/store/journal.hpp"
#include "tests/apiserver/registry/fixture.hpp"
#include "tests/apiserver/store/fixture.hpp"

#include <sys/resource.h>

#include "base/run.hpp"

#include <cstdio>
#include <fstream>

namespace ingot::apiserver::tests {
namespace {

struct Cost {
  double cpu, wall;  // seconds
};

Cost now() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  const auto wall = std::chrono::steady_clock::now().time_since_epoch();
  return {seconds(usage.ru_utime) + seconds(usage.ru_stime), std::chrono::duration<double>(wall).count()};
}

long residentKilobytes() {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.starts_with("VmRSS:")) return std::stol(line.substr(6));
  }
  return 0;
}

// About as large as a provisioned BareMetalHost (4.5 KB).
json::Value largeHost(const std::string& name) {
  json::Array nics;
  for (int i = 0; i < 20; ++i) {
    nics.push_back({{"name", fmt::format("eth{}", i)},
                    {"mac", fmt::format("00:11:22:33:44:{:02x}", i)},
                    {"model", "0x8086 0x1572"},
                    {"speedGbps", 25},
                    {"ip", "192.168.111.20"},
                    {"pxe", i == 0}});
  }
  return {
      {"apiVersion", "metal3.io/v1alpha1"},
      {"kind", "Host"},
      {"metadata", {{"name", name}, {"labels", {{"rack", "r1"}}}}},
      {"spec", {{"online", true}, {"bmc", {{"address", "redfish://10.0.0.1/redfish/v1/Systems/1"}}}, {"nics", nics}}}};
}

json::Value statusOf(int n) {
  json::Array disks;
  for (int i = 0; i < 12; ++i)
    disks.push_back({{"name", fmt::format("/dev/sd{}", i)}, {"sizeBytes", 480103981056}, {"rotational", false}});
  return {
      {"status", {{"count", n}, {"storage", disks}, {"poweredOn", true}, {"provisioning", {{"state", "available"}}}}}};
}

struct Server {
  boost::asio::io_context io;
  base::SystemClock clock;
  std::unique_ptr<base::Random> random = base::systemRandom();
  base::Runtime runtime{io.get_executor(), clock, *random, base::Log::silent()};
  Store store;
  Registry registry;

  Server(std::unique_ptr<Journal> journal, StoreOptions options)
      : store(runtime, std::move(journal), options), registry(runtime, store) {
    registry.define(hostInfo(), {});
    base::run(io, registry.start());
  }
  ~Server() { base::run(io, registry.stop()); }

  static std::string name(int i) { return fmt::format("host-{}", i); }

  base::Task<void> createFrom(int first, int step, int hosts) {
    for (int i = first; i < hosts; i += step) (void)co_await registry.create(Api::host(), largeHost(name(i)));
  }
  base::Task<void> writeStatus(int first, int step, int hosts, int writes) {
    for (int n = first; n < writes; n += step) {
      (void)co_await registry.patch(Api::host(name(n % hosts), "status"), Api::merging(statusOf(n)));
    }
  }
  template <class Make>
  Cost together(int writers, const Make& make) {
    int left = writers;
    const Cost before = now();
    for (int w = 0; w < writers; ++w) {
      boost::asio::co_spawn(io, make(w), [&](const std::exception_ptr& e) {
        if (e) std::rethrow_exception(e);
        --left;
      });
    }
    io.restart();
    while (left > 0) io.run_one();
    const Cost after = now();
    return {after.cpu - before.cpu, after.wall - before.wall};
  }
};

void measure(const char* title, std::unique_ptr<Journal> journal, StoreOptions options, int hosts, int writers) {
  Server server(std::move(journal), options);
  constexpr int writes = 30'000;
  const long before = residentKilobytes();
  const auto created = server.together(writers, [&](int w) { return server.createFrom(w, writers, hosts); });
  const auto wrote = server.together(writers, [&](int w) { return server.writeStatus(w, writers, hosts, writes); });
  const auto body = server.store.find("hosts.metal3.io", {"default", Server::name(0)})->body.size();
  std::printf("%-28s %5d hosts of %zu B: create %6.1f us CPU, %7.0f/s; status %6.1f us CPU, %7.0f/s; +%ld MiB RSS\n",
              title, hosts, body, created.cpu * 1e6 / hosts, hosts / created.wall, wrote.cpu * 1e6 / writes,
              writes / wrote.wall, (residentKilobytes() - before) / 1024);
}

void measureAll() {
  measure("memory, in line, 1 writer", openMemoryJournal(std::make_shared<MemoryDisk>()), inLine(), 1000, 1);
  measure("memory, in line, 64 writers", openMemoryJournal(std::make_shared<MemoryDisk>()), inLine(), 1000, 64);
  for (const int hosts : {1000, 5000}) {
    for (const int writers : {1, 16, 256}) {
      const TemporaryFolder folder;
      measure(fmt::format("SQLite, {} writers", writers).c_str(), openSqliteJournal(folder.path()), {}, hosts, writers);
    }
  }
}

}  // namespace
}  // namespace ingot::apiserver::tests

int main() {
  try {
    ingot::apiserver::tests::measureAll();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "store_bench: %s\n", error.what());
    return 1;
  }
  return 0;
}
