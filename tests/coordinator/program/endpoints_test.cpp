// /healthz, /readyz and /metrics: which address serves which of them, and to how many.
#include "coordinator/endpoints.hpp"

#include "net/loopback.hpp"
#include "tests/net/pair.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <regex>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using coordinator::Options;
using Statuses = std::vector<int>;

struct Served : RealLoop {
  explicit Served(const Options& options) { endpoints.listen(options); }
  ~Served() { run(endpoints.stop()); }

  // Of the address that `flag` names; 0: the log names none.
  [[nodiscard]] std::uint16_t port(const std::string& flag) const {
    for (const auto& line : log->lines()) {
      std::smatch found;
      if (line.contains("flag=" + flag) && std::regex_search(line, found, std::regex("port=\"?([0-9]+)")))
        return static_cast<std::uint16_t>(std::stoi(found[1]));
    }
    return 0;
  }

  net::HttpResponse get(std::uint16_t at, const std::string& path, const std::string& host = "127.0.0.1") {
    const auto client = transport->connect({.baseUrl = fmt::format("http://{}:{}", host, at)});
    return run(client->send({.target = path, .deadline = 10s}));
  }

  Statuses statuses(const std::string& flag) {
    Statuses all;
    for (const char* path : {"/healthz", "/livez", "/readyz", "/metrics"}) all.push_back(get(port(flag), path).status);
    return all;
  }

  base::Metrics page;
  coordinator::Readiness readiness;
  coordinator::readings::Api readings{runtime};
  coordinator::Endpoints endpoints{runtime, page, [this] { return readiness; }, &readings};
  std::unique_ptr<net::HttpTransport> transport = net::curlTransport(runtime);
};

Options at(const std::string& health, const std::string& metrics) {
  Options options;
  options.healthAddress = health;
  options.metricsAddress = metrics;
  return options;
}

// Connections that say nothing.
struct Silent {
  Silent(std::uint16_t port, int count) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (int i = 0; i < count; ++i) {
      open.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
      REQUIRE(::connect(open.back(), reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0);
    }
  }
  ~Silent() {
    for (const int fd : open) ::close(fd);
  }
  Silent(const Silent&) = delete;
  Silent& operator=(const Silent&) = delete;
  std::vector<int> open;
};

}  // namespace

TEST_CASE("metrics are served where they were told to be, and nowhere else", "[endpoints]") {
  Served served(at("127.0.0.1:0", "0"));
  CHECK(served.port("--metrics-addr") == 0);
  CHECK(served.statuses("--health-addr") == Statuses{200, 200, 200, 404});
}

TEST_CASE("each of two addresses serves its own", "[endpoints]") {
  Served served(at("127.0.0.1:0", "[::1]:0"));
  CHECK(served.statuses("--health-addr") == Statuses{200, 200, 200, 404});
  const auto port = served.port("--metrics-addr");
  CHECK(served.get(port, "/metrics", "[::1]").status == 200);
  CHECK(served.get(port, "/readyz", "[::1]").status == 404);
}

TEST_CASE("what agents have read is shown beside metrics, at addresses of this machine only", "[endpoints]") {
  constexpr auto reading = "/apis/readings.ingot.dev/v1alpha1";
  Served served(at("127.0.0.1:0", "[::1]:0"));
  CHECK(served.get(served.port("--metrics-addr"), reading, "[::1]").status == 200);
  CHECK(served.get(served.port("--health-addr"), reading).status == 404);
  Served open(at("0", "0.0.0.0:0"));
  CHECK(open.get(open.port("--metrics-addr"), "/metrics").status == 200);
  CHECK(open.get(open.port("--metrics-addr"), reading).status == 404);
}

TEST_CASE("a remark says more beside the ok, an obstacle takes the process out of service", "[endpoints]") {
  Served served(at("127.0.0.1:0", "0"));
  const auto port = served.port("--health-addr");
  CHECK(served.get(port, "/readyz").body == "ok");
  served.readiness.remark = "all is not well";
  CHECK(served.get(port, "/readyz").body == "ok\nall is not well");
  served.readiness.obstacle = "is stopping";
  CHECK(served.get(port, "/readyz").status == 503);
  CHECK(served.get(port, "/healthz").status == 200);
}

TEST_CASE("one address that was told twice serves both", "[endpoints]") {
  Served served(at("127.0.0.1:0", "127.0.0.1:0"));
  CHECK(served.statuses("--health-addr") == Statuses{200, 200, 200, 200});
}

TEST_CASE("connections that say nothing keep no probe out", "[endpoints]") {
  Served served(at("127.0.0.1:0", "0"));
  const Silent silent(served.port("--health-addr"), 64);
  CHECK(served.get(served.port("--health-addr"), "/healthz").status == 200);
}

TEST_CASE("an address without a host is every address, of IPv6 and of IPv4", "[endpoints]") {
  Served served(at("localhost:0", ":0"));
  const auto port = served.port("--metrics-addr");
  for (const std::string host : {"127.0.0.1", "[::1]"}) CHECK(served.get(port, "/metrics", host).status == 200);
  CHECK(served.get(served.port("--health-addr"), "/healthz").status == 200);
}

TEST_CASE("metrics for everybody who reaches the machine are warned of", "[endpoints]") {
  CHECK_FALSE(Served(at("0", "127.0.0.1:0")).log->contains(" WARN "));
  CHECK_FALSE(Served(at(":0", "0")).log->contains(" WARN "));
  CHECK(Served(at("0", ":0")).log->contains("plain HTTP"));
  CHECK(Served(at("0.0.0.0:0", "0.0.0.0:0")).log->contains("plain HTTP"));
}

TEST_CASE("a page of metrics is made once for all who ask within a second", "[endpoints]") {
  Loop loop;
  base::Metrics metrics;
  int made = 0;
  metrics.beforeExpose([&] { metrics.gauge("made_count", "Pages").set(++made); });
  const std::string help(200'000, 'x');  // more than goes out at once
  metrics.gauge("large", help).set(1);
  net::MetricsPage page(loop.runtime, metrics);
  net::Loopback network{loop.runtime};
  network.serve("http://page", page);
  const auto client = network.connect({.baseUrl = "http://page"});
  const auto get = [&] { return loop.run(client->send({.target = "/metrics"})).body; };
  const std::string first = get();
  CHECK(first.contains(help));
  CHECK(first.contains("made_count 1\n"));
  loop.clock.advance(900ms);
  CHECK(get() == first);
  loop.clock.advance(100ms);
  CHECK(get().contains("made_count 2\n"));
  loop.run(network.close());
}

}  // namespace ingot::tests
