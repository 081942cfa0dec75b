// What readers of the embedded API cost: a table of all hosts as kubectl asks for it, and fifty watchers while a
// thousand writes a second come in.
#include "apiserver/embedded.hpp"
#include "base/file.hpp"
#include "base/run.hpp"
#include "tests/bench/cpu_clock.hpp"

#include <boost/asio/co_spawn.hpp>

#include <cstdio>

namespace ingot::apiserver::tests {
namespace {

using ingot::tests::CpuClock;
using Wall = std::chrono::steady_clock;

constexpr int kNamespaces = 50;
constexpr int kWatchers = 50;
constexpr int kWritesPerSecond = 1000;
constexpr std::string_view kHosts = "/apis/metal3.io/v1alpha1";

double milliseconds(Wall::duration d) { return std::chrono::duration<double, std::milli>(d).count(); }

// Takes answers and counts their bytes.
class Sink final : public net::Responder {
 public:
  int status = 0;
  std::size_t bytes = 0, lines = 0;

  base::Task<void> send(net::HttpResponse response) override {
    status = response.status;
    bytes += response.body.size();
    co_return;
  }
  base::Task<void> begin(int code, net::Headers) override {
    status = code;
    co_return;
  }
  base::Task<void> write(std::string chunk) override {
    bytes += chunk.size();
    lines += static_cast<std::size_t>(std::count(chunk.begin(), chunk.end(), '\n'));
    co_return;
  }
  base::Task<void> end() override { co_return; }
  void abort() override {}
};

std::string nameOf(int host) { return fmt::format("host-{:05}", host); }
std::string spaceOf(int host) { return fmt::format("site-{:02}", host % kNamespaces); }
std::string pathOf(int host) { return fmt::format("{}/namespaces/{}/baremetalhosts", kHosts, spaceOf(host)); }

std::string hostText(int host) {
  return json::serialize(
      json::Object{{"apiVersion", "metal3.io/v1alpha1"},
                   {"kind", "BareMetalHost"},
                   {"metadata", {{"name", nameOf(host)}, {"labels", {{"rack", fmt::format("r{}", host / 40)}}}}},
                   {"spec",
                    {{"online", true},
                     {"bootMACAddress", fmt::format("00:00:5e:{:02x}:{:02x}:01", host / 256, host % 256)},
                     {"bmc",
                      {{"address", fmt::format("redfish://10.1.{}.{}/redfish/v1/Systems/1", host / 256, host % 256)},
                       {"credentialsName", nameOf(host) + "-bmc"}}},
                     {"image",
                      {{"url", "http://images.example.com/ubuntu-24.04.raw"},
                       {"checksum", "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"},
                       {"checksumType", "sha256"}}}}}});
}

// As large as a provisioned host's.
std::string statusText(int n) {
  json::Array nics, disks;
  for (int i = 0; i < 8; ++i)
    nics.push_back({{"name", fmt::format("eth{}", i)},
                    {"mac", fmt::format("00:00:5e:00:53:{:02x}", i)},
                    {"model", "0x8086 0x1572"},
                    {"speedGbps", 25},
                    {"ip", fmt::format("192.168.111.{}", i)}});
  for (int i = 0; i < 12; ++i)
    disks.push_back({{"name", fmt::format("/dev/sd{}", i)},
                     {"type", "SSD"},
                     {"model", "SAMSUNG MZ7LH480"},
                     {"sizeBytes", 480103981056},
                     {"serialNumber", fmt::format("S45PNA0M52{:04}", i)}});
  return json::serialize(json::Object{
      {"status",
       {{"errorCount", n},
        {"errorMessage", ""},
        {"poweredOn", true},
        {"operationalStatus", "OK"},
        {"lastUpdated", base::formatTime(base::WallTime(std::chrono::seconds(1'760'000'000 + n)))},
        {"provisioning", {{"state", "provisioned"}, {"ID", "2c5fd4f2-6f3b-4f0e-8c27-1a2b3c4d5e6f"}}},
        {"hardware",
         {{"cpu",
           {{"arch", "x86_64"}, {"model", "Intel(R) Xeon(R) Gold 6248R"}, {"count", 96}, {"clockMegahertz", 3000}}},
          {"hostname", "localhost"},
          {"ramMebibytes", 393216},
          {"nics", nics},
          {"storage", disks}}}}}});
}

struct Bench {
  boost::asio::io_context io;
  base::SystemClock clock;
  std::unique_ptr<base::Random> random = base::systemRandom();
  base::Runtime runtime{io.get_executor(), clock, *random, base::Log::silent()};
  std::unique_ptr<EmbeddedApi> api;
  double longest = 0;       // milliseconds of CPU without a return to the loop
  int written = 1'000'000;  // no status twice: that would be no change

  Bench() {
    EmbeddedOptions options;
    options.crds = {base::readFile(std::string(INGOT_SOURCE_DIR) + "/crds/metal3.io_baremetalhosts.yaml")};
    api = base::run(io, EmbeddedApi::start(runtime, std::move(options)));
    io.restart();
  }
  ~Bench() {
    io.restart();
    base::run(io, api->stop(std::chrono::seconds(0)));
  }

  base::Task<void> request(std::string method, std::string target, std::string body, net::Headers headers, Sink& sink) {
    net::ServerRequest request{.method = std::move(method),
                               .target = std::move(target),
                               .headers = std::move(headers),
                               .body = std::move(body),
                               .peer = EmbeddedApi::localAdmin()};
    co_await api->handler().handle(std::move(request), sink);
  }

  template <class Done>
  void runUntil(const Done& done) {
    io.restart();
    longest = 0;
    while (!done()) {
      const auto before = CpuClock::now();
      io.run_one();
      longest = std::max(longest, CpuClock::millisecondsSince(before));
    }
  }

  void finish(base::Task<void> task) {
    bool done = false;
    boost::asio::co_spawn(io, std::move(task), [&](const std::exception_ptr& e) {
      if (e) std::rethrow_exception(e);
      done = true;
    });
    runUntil([&] { return done; });
  }

  Sink ask(std::string method, std::string target, std::string body = {}, net::Headers headers = {}) {
    Sink sink;
    finish(request(std::move(method), std::move(target), std::move(body), std::move(headers), sink));
    if (sink.status / 100 != 2) throw std::runtime_error(fmt::format("HTTP {}", sink.status));
    return sink;
  }

  static net::Headers json() { return {{"Content-Type", "application/json"}}; }
  static net::Headers merge() { return {{"Content-Type", "application/merge-patch+json"}}; }

  void fill(int hosts) {
    for (int i = 0; i < kNamespaces; ++i)
      (void)ask("POST", "/api/v1/namespaces",
                fmt::format(R"({{"apiVersion":"v1","kind":"Namespace","metadata":{{"name":"{}"}}}})", spaceOf(i)),
                json());
    for (int i = 0; i < hosts; ++i) {
      (void)ask("POST", pathOf(i), hostText(i), json());
      (void)ask("PATCH", pathOf(i) + "/" + nameOf(i) + "/status", statusText(i), merge());
    }
  }

  base::Task<void> writeAll(int writes, int hosts) {
    const auto start = clock.now();
    for (int n = 0; n < writes; ++n) {
      Sink sink;
      const int host = n % hosts;
      co_await request("PATCH", pathOf(host) + "/" + nameOf(host) + "/status", statusText(++written), merge(), sink);
      co_await clock.sleepUntil(start + std::chrono::microseconds(1'000'000) / kWritesPerSecond * (n + 1));
    }
  }
};

void measureTable(Bench& bench, int hosts) {
  double best = 1e9, blocked = 0;
  std::size_t bytes = 0;
  for (int run = 0; run < 5; ++run) {
    const auto before = Wall::now();
    bytes = bench
                .ask("GET", std::string(kHosts) + "/baremetalhosts", {},
                     {{"Accept", "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"}})
                .bytes;
    best = std::min(best, milliseconds(Wall::now() - before));
    blocked = std::max(blocked, bench.longest);
  }
  std::printf("table of %d hosts: %.0f ms, %.1f MB; the loop was never blocked for more than %.1f ms\n", hosts, best,
              static_cast<double>(bytes) / 1e6, blocked);
}

// `target` of the n-th watcher; none: writes alone.
void measureWatch(Bench& bench, const char* title, int hosts, const std::function<std::string(int)>& target) {
  constexpr int writes = 5 * kWritesPerSecond;
  std::vector<Sink> sinks(target ? kWatchers : 0);
  int ended = 0;
  for (std::size_t i = 0; i < sinks.size(); ++i)
    boost::asio::co_spawn(
        bench.io,
        bench.request("GET",
                      fmt::format("{}?watch=true&resourceVersion={}&timeoutSeconds=8", target(static_cast<int>(i)),
                                  bench.api->registry().store().revision()),
                      {}, {}, sinks[i]),
        [&ended](const std::exception_ptr&) { ++ended; });
  const auto cpu = CpuClock::now();
  const auto wall = Wall::now();
  bench.finish(bench.writeAll(writes, hosts));
  const double used = CpuClock::millisecondsSince(cpu), took = milliseconds(Wall::now() - wall);
  bench.runUntil([&] { return ended == static_cast<int>(sinks.size()); });
  std::size_t lines = 0, bytes = 0;
  for (const auto& sink : sinks) {
    lines += sink.lines;
    bytes += sink.bytes;
  }
  std::printf("%-44s %4.0f writes/s: %5.1f %% of a core, %zu events, %.0f MB\n", title, writes * 1000.0 / took,
              used / took * 100, lines, static_cast<double>(bytes) / 1e6);
}

void measureAll() {
  constexpr int hosts = 10'000;
  Bench bench;
  bench.fill(hosts);
  measureTable(bench, hosts);
  measureWatch(bench, "nobody watches", hosts, nullptr);
  measureWatch(bench, "50 watchers of everything", hosts, [](int) { return std::string(kHosts) + "/baremetalhosts"; });
  measureWatch(bench, "50 watchers of a namespace each", hosts, [](int i) { return pathOf(i); });
}

}  // namespace
}  // namespace ingot::apiserver::tests

int main() {
  try {
    ingot::apiserver::tests::measureAll();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "api_bench: %s\n", error.what());
    return 1;
  }
  return 0;
}
