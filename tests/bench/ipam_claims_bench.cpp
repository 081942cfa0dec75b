// Claims through the embedded API on disk: how many get their address in a minute, and what one costs. Goals: 20,000 a
// minute, creation by the user apart three writes each.
//   ipam_claims_bench [CLAIMS]
#include "api/kinds/kinds.hpp"
#include "apiserver/embedded.hpp"
#include "base/run.hpp"
#include "coordinator/admission.hpp"
#include "coordinator/ipam/controllers.hpp"
#include "kube/client/config.hpp"
#include "net/loopback.hpp"
#include "tests/bench/cpu_clock.hpp"
#include "tests/coordinator/ipam/builders.hpp"

#include <unistd.h>

#include <charconv>
#include <filesystem>

namespace {

using namespace ingot;
using namespace std::chrono_literals;
using api::ipam::IPClaim;

constexpr auto kController = "https://controller.bench", kUser = "https://user.bench";
constexpr int kUsers = 64;  // who create claims side by side

struct Bench {
  boost::asio::io_context io{1};
  base::SystemClock clock;
  std::unique_ptr<base::Random> random = base::seededRandom(1);
  base::Runtime runtime{io.get_executor(), clock, *random, base::Log::silent()};
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("ingot-ipam-bench-" + std::to_string(getpid()));
  net::Loopback network{runtime};
  base::Metrics page;
  std::size_t writes = 0;
  int count = 20'000, created = 0, settled = 0;

  ~Bench() { std::filesystem::remove_all(folder); }

  template <class T>
  T run(base::Task<T> task) {
    return base::run(io, std::move(task));
  }
};

base::Task<void> createClaims(Bench& bench, kube::Client& client) {
  while (bench.created < bench.count) {
    auto claim = tests::claimOf(fmt::format("machine-{:06}-provisioning", bench.created++));
    claim.metadata.namespace_ = "default";
    static_cast<void>(co_await client.create(std::move(claim)));
  }
}

base::Task<void> untilSettled(Bench& bench) {
  while (bench.settled < bench.count) co_await bench.clock.sleepFor(5ms);
}

base::Task<void> measure(Bench& bench, kube::Client& user) {
  auto pool = tests::poolOf({tests::subnetOf("10.20.0.0/16")});
  pool.metadata.namespace_ = "default";
  pool.metadata.uid.clear();
  static_cast<void>(co_await user.create(std::move(pool)));
  const auto cpu = tests::CpuClock::now();
  const base::MonoTime start = bench.clock.now();
  base::TaskGroup users(bench.runtime.executor, bench.runtime.log);
  for (int i = 0; i < kUsers; ++i) users.spawn("user", createClaims(bench, user));
  co_await untilSettled(bench);
  const double seconds = std::chrono::duration<double>(bench.clock.now() - start).count();
  co_await users.close();
  fmt::print("{} claims in {:.1f} s: {:.0f} claims/min, {:.2f} writes a claim, {:.2f} ms of CPU a claim\n", bench.count,
             seconds, bench.count / seconds * 60, static_cast<double>(bench.writes) / bench.count,
             tests::CpuClock::millisecondsSince(cpu) / bench.count);
}

base::Task<void> live(Bench& bench) {
  apiserver::EmbeddedOptions options{.dataDir = bench.folder,
                                     .definitions = api::everyCrd(),
                                     .admission = coordinator::admissionRules,
                                     .converters = coordinator::kindConverters()};
  const auto api = co_await apiserver::EmbeddedApi::start(bench.runtime, std::move(options));
  for (const auto* origin : {kController, kUser})
    bench.network.serve(origin, api->handler(), apiserver::EmbeddedApi::localAdmin());
  auto client = kube::connect(bench.runtime, bench.network, {.server = kController});
  auto user = kube::connect(bench.runtime, bench.network, {.server = kUser});
  bench.network.beforeRequest = [&bench](const net::ClientOptions& from, const net::HttpRequest& request) {
    if (from.baseUrl == kController && request.method != "GET") ++bench.writes;
  };
  kube::Cache<api::capi::Cluster> clusters(bench.runtime, client->api(), {.watcher = {.mayBeAbsent = true}});
  coordinator::AddressCaches addresses(bench.runtime, *client);
  coordinator::ipam::Controllers controllers(
      bench.runtime, {.client = *client, .page = bench.page, .clusters = clusters, .addresses = addresses});
  kube::Cache<IPClaim> claims(bench.runtime, user->api());
  const auto counting = claims.listen([&bench](const auto& change) {
    const bool had = change.before && change.before->status.address, has = change.after && change.after->status.address;
    bench.settled += static_cast<int>(has) - static_cast<int>(had);
  });
  base::VitalTasks tasks(bench.runtime.executor, bench.runtime.log);
  kube::start(tasks, controllers.managed());
  claims.start(tasks.group());
  co_await measure(bench, *user);
  co_await tasks.close();
  client.reset();
  user.reset();
  co_await bench.network.close();
  co_await api->stop(1s);
}

}  // namespace

int main(int argc, char** argv) {
  Bench bench;
  if (argc > 1) {
    const std::string_view text = argv[1];
    std::from_chars(text.data(), text.data() + text.size(), bench.count);
  }
  std::filesystem::create_directory(bench.folder);
  bench.run(live(bench));
}
