#include "bmc/libredfish/possible.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
namespace libredfish = bmc::libredfish;
using net::HttpError;

namespace {

HttpError refusalOf(const std::function<void()>& check) {
  try {
    check();
  } catch (const HttpError& error) {
    return error;
  }
  throw std::logic_error("nothing was refused");
}

}  // namespace

TEST_CASE("a host whose certificate is to be verified is not reached, and what would be right is said") {
  const auto refusal = refusalOf([] { libredfish::checkClient({.baseUrl = "https://bmc.example"}); });
  CHECK(refusal.code() == HttpError::Code::tls);
  CHECK(std::string(refusal.what()) ==
        "https://bmc.example:443: its certificate is to be verified, and libredfish verifies none: "
        "--redfish-transport curl does, or set disableCertificateVerification for the host");
}

TEST_CASE("whatever else a host's trust asks for is refused by its name") {
  const auto [tls, words] = GENERATE(table<net::ClientTls, std::string>({
      {{.caPem = "PEM"}, "its certificate is to be verified, and libredfish verifies none"},
      {{.verify = false, .pinnedKeys = "sha256//A="}, "its public key is pinned, and libredfish compares none"},
      {{.verify = true, .pinnedKeys = "sha256//A="}, "its public key is pinned"},
      {{.verify = false, .certificatePem = "PEM"}, "libredfish shows no client certificate"},
      {{.verify = false, .serverName = "bmc"}, "libredfish knows a server by its URL alone"},
      {{.verify = false, .legacyTls = true}, "libredfish speaks no old TLS"},
  }));
  const net::ClientOptions options{.baseUrl = "https://bmc.example", .tls = tls};
  const auto refusal = refusalOf([&] { libredfish::checkClient(options); });
  CHECK(refusal.code() == HttpError::Code::tls);
  CHECK_THAT(refusal.what(), Catch::StartsWith("https://bmc.example:443: ") && Catch::Contains(words));
}

TEST_CASE("a host that is not to be verified, or speaks no TLS, is reached") {
  CHECK_NOTHROW(libredfish::checkClient({.baseUrl = "https://bmc.example", .tls = {.verify = false, .caPem = "PEM"}}));
  CHECK_NOTHROW(libredfish::checkClient({.baseUrl = "http://bmc.example"}));
}

TEST_CASE("no proxy stands before a BMC, told or in the environment") {
  const auto refusal = refusalOf([] {
    libredfish::checkClient({.baseUrl = "http://bmc.example", .proxy = base::Secret("http://user:s3cret@proxy")});
  });
  CHECK(refusal.code() == HttpError::Code::badRequest);
  CHECK_THAT(refusal.what(), Catch::Contains("libredfish takes no proxy") && !Catch::Contains("s3cret"));

  std::map<std::string, std::string, std::less<>> variables;
  const auto environment = [&](std::string_view name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
  CHECK_NOTHROW(libredfish::checkEnvironment(environment));
  variables["https_proxy"] = "http://user:s3cret@proxy";
  CHECK_THROWS_WITH(libredfish::checkEnvironment(environment),
                    Catch::StartsWith("https_proxy is set") && !Catch::Contains("s3cret"));
  variables["NO_PROXY"] = "*";
  CHECK_NOTHROW(libredfish::checkEnvironment(environment));
  variables["no_proxy"] = "localhost";
  CHECK_THROWS_AS(libredfish::checkEnvironment(environment), base::Error);
}

TEST_CASE("a request that libredfish would change without a word is refused, and quotes no value") {
  const auto [request, words] = GENERATE(table<net::HttpRequest, std::string>({
      {{.method = "TRACE"}, "TRACE: libredfish knows no such method"},
      {{.method = "DELETE", .body = "{}"}, "DELETE: libredfish sends no body with it"},
      {{.method = "GET", .body = "{}"}, "GET: libredfish sends no body with it"},
      {{.target = "/a/../b"}, "the path has . or .. in it"},
      {{.target = "/a/."}, "the path has . or .. in it"},
      {{.headers = {{"X-Empty", ""}}}, "no header without a value (X-Empty)"},
      {{.headers = {{"X-Auth-Token", std::string(1010, 's')}}}, "cuts off the header X-Auth-Token"},
  }));
  const auto refusal = refusalOf([&, request = request] { libredfish::checkRequest(request, request.target); });
  CHECK(refusal.code() == HttpError::Code::badRequest);
  CHECK_THAT(refusal.what(), Catch::Contains(words) && !Catch::Contains("sss"));
  CHECK_NOTHROW(libredfish::checkRequest({.headers = {{"X-Auth-Token", std::string(1008, 's')}}}, "/a.b/...?c=/../"));
}

TEST_CASE("a request that may change something is over by its deadline, though it begins late or is redirected") {
  const net::HttpRequest read;
  CHECK(libredfish::timeFor(read, 30s) == 30s);
  CHECK(libredfish::timeFor(read, 1500ms) == 2s);
  CHECK(libredfish::timeFor(read, 0s) == 1s);
  const net::HttpRequest write{.method = "POST", .body = "{}", .beforeSending = [] {}};
  CHECK(libredfish::timeFor(write, 60s) == 55s);
  CHECK(libredfish::timeFor(write, 6500ms) == 1s);
  CHECK(libredfish::timeFor(write, 5900ms) == std::nullopt);
  CHECK(libredfish::timeFor(write, 0s) == std::nullopt);
  const net::HttpRequest removal{.method = "DELETE", .beforeSending = [] {}};
  CHECK(libredfish::timeFor(removal, 60s) == 27s);
  CHECK(libredfish::timeFor(removal, 6500ms) == std::nullopt);
}

TEST_CASE("what must not be sent twice has a connection of its own") {
  CHECK(libredfish::wantsOwnConnection({.method = "POST"}));
  CHECK(libredfish::wantsOwnConnection({.method = "PATCH"}));
  CHECK(libredfish::wantsOwnConnection({.headers = {{"Connection", "close"}}}));
  CHECK_FALSE(libredfish::wantsOwnConnection({.method = "DELETE"}));
  CHECK_FALSE(libredfish::wantsOwnConnection({}));
}
