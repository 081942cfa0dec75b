// Which servers are reached through a proxy, and that the client goes there.
#include "net/proxy.hpp"

#include "base/error.hpp"
#include "tests/net/world.hpp"

#include <catch2/catch.hpp>

#include <map>

using namespace ingot;
using base::Task;

namespace {

using Variables = std::map<std::string, std::string, std::less<>>;

std::string proxyFor(std::string_view url, const Variables& variables) {
  return net::proxyFor(url,
                       [&](std::string_view name) {
                         const auto it = variables.find(name);
                         return it == variables.end() ? std::nullopt : std::optional(it->second);
                       })
      .reveal();
}

}  // namespace

TEST_CASE("the scheme of the server chooses the variable, capitals win", "[proxy]") {
  const Variables both{
      {"HTTP_PROXY", "http://plain:1"}, {"HTTPS_PROXY", "http://tls:2"}, {"https_proxy", "http://x:3"}};
  CHECK(proxyFor("http://ironic:6385/v1", both) == "http://plain:1");
  CHECK(proxyFor("https://api.example.com:6443", both) == "http://tls:2");
  CHECK(proxyFor("https://api.example.com", {{"https_proxy", "http://x:3"}}) == "http://x:3");
  CHECK(proxyFor("https://api.example.com", {{"HTTP_PROXY", "http://plain:1"}}).empty());
  CHECK(proxyFor("https://api.example.com", {}).empty());
}

TEST_CASE("loopback and the entries of NO_PROXY are reached directly", "[proxy]") {
  struct Row {
    const char *server, *exceptions;
    bool direct;
  };
  const Row rows[] = {
      {"https://localhost:6443", "", true},
      {"https://127.1.2.3:6443", "", true},
      {"https://[::1]:6443", "", true},
      {"https://10.0.0.1", "", false},
      {"https://10.0.0.1", "10.0.0.0/8", true},
      {"https://11.0.0.1", "10.0.0.0/8", false},
      {"https://10.0.0.1", "a, 10.0.0.1 ,b", true},
      {"https://10.0.0.1:6443", "10.0.0.1:6443", true},
      {"https://10.0.0.1:6443", "10.0.0.1:443", false},
      {"https://[fd00::1]", "fd00::/8", true},
      {"https://[fd00::1]:6443", "[fd00::1]:6443", true},
      {"https://[fd00::1]", "FD00:0::1", true},
      {"https://api.example.com", "example.com", true},
      {"https://example.com", "example.com", true},
      {"https://badexample.com", "example.com", false},
      {"https://api.example.com", ".example.com", true},
      {"https://example.com", ".example.com", false},
      {"https://api.example.com", "*.example.com", true},
      {"https://API.Example.com", "api.EXAMPLE.com:443", true},
      {"https://api.example.com", "api.example.com:6443", false},
      {"https://anything", "x,*", true},
      {"https://ironic.metal.svc", ".svc,.cluster.local", true},
      {"https://anything", ",,", false},
  };
  for (const Row& row : rows) {
    INFO(row.server << " with NO_PROXY=" << row.exceptions);
    CHECK(proxyFor(row.server, {{"HTTPS_PROXY", "proxy"}, {"NO_PROXY", row.exceptions}}).empty() == row.direct);
  }
}

TEST_CASE("a proxy gets its scheme and port", "[proxy]") {
  CHECK(net::normalisedProxy("proxy") == "http://proxy:80");
  CHECK(net::normalisedProxy("proxy:3128") == "http://proxy:3128");
  CHECK(net::normalisedProxy(" https://u:p@proxy/ ") == "https://u:p@proxy:443");
  CHECK(net::normalisedProxy("http://[fd00::1]") == "http://[fd00::1]:80");
  CHECK(net::normalisedProxy("http://[fd00::1]:3128") == "http://[fd00::1]:3128");
  CHECK(net::normalisedProxy("socks5://proxy") == "socks5://proxy:1080");
  CHECK_FALSE(net::normalisedProxy("ftp://proxy"));
  CHECK_FALSE(net::normalisedProxy("http://"));
  CHECK_THROWS_WITH(proxyFor("http://a", {{"HTTP_PROXY", "ftp://u:secret@p"}}),
                    "HTTP_PROXY: is not the URL of an http, https or socks5 proxy");
}

TEST_CASE_METHOD(tests::World, "a client with a proxy sends its requests there", "[proxy]") {
  handler = tests::Handler([](net::ServerRequest request, net::Responder& out) -> Task<void> {
    co_await out.send({200, {}, request.method + " " + request.target});
  });
  listenPlain();
  const base::Secret proxy(fmt::format("http://127.0.0.1:{}", server->port()));
  CHECK(get(net::ClientOptions{.baseUrl = "http://nowhere.invalid:6385", .proxy = proxy}) ==
        "GET http://nowhere.invalid:6385/");
}

TEST_CASE_METHOD(tests::World, "a client without one takes none from the environment", "[proxy]") {
  listenPlain();
  ::setenv("http_proxy", "http://127.0.0.1:1", 1);
  CHECK(run(transport->connect({.baseUrl = fmt::format("http://127.0.0.1:{}", server->port())})->send({.target = "/"}))
            .status == 200);
  ::unsetenv("http_proxy");
}
