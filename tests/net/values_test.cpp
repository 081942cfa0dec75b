// URLs, headers and certificates.
#include "net/certificates.hpp"
#include "net/http.hpp"
#include "net/url.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;

TEST_CASE("a URL comes apart into its pieces", "[url]") {
  const auto url = net::parseUrl("HTTPS://[fe80::1]:8000/redfish/v1?a=b&c#frag");
  REQUIRE(url);
  CHECK(url->scheme == "https");
  CHECK(url->host == "fe80::1");
  CHECK(url->port == 8000);
  CHECK(url->path == "/redfish/v1");
  CHECK(url->query == "a=b&c");
  CHECK(url->origin() == "https://[fe80::1]:8000");
  CHECK(net::parseUrl("http://bmc?x")->path == "/");
  CHECK(net::parseUrl("http://bmc")->port == 80);
  CHECK(net::parseUrl("https://bmc/")->port == 443);
}

TEST_CASE("what is not a URL, or hides credentials, is refused", "[url]") {
  for (const auto* text : {"", "bmc", "//bmc", "http://", "http://:80", "http://a:b:c", "http://a:99999", "http://a:x",
                           "http://[::1", "http://[::1]x", "http://user:pw@host/", "http://a b/", "1http://a"}) {
    INFO(text);
    CHECK_FALSE(net::parseUrl(text));
  }
}

TEST_CASE("percent coding goes both ways and keeps what is not coded", "[url]") {
  CHECK(net::percentEncode("a b/ü~") == "a%20b%2F%C3%BC~");
  CHECK(net::percentDecode("a%20b%2f") == "a b/");
  CHECK(net::percentDecode("100%") == "100%");
  CHECK(net::percentDecode("%zz%4") == "%zz%4");
  CHECK(net::percentDecode("%41") == "A");
  CHECK(net::percentDecode("a+b") == "a+b");
}

TEST_CASE("a query comes apart in order, decoded", "[url]") {
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  CHECK(net::parseQuery("a=1&b=x+y%26&&c&a=2=3") == Pairs{{"a", "1"}, {"b", "x y&"}, {"c", ""}, {"a", "2=3"}});
  CHECK(net::parseQuery("").empty());
}

TEST_CASE("headers compare names without case and keep order and repetition", "[headers]") {
  net::Headers headers{{"Accept", "a"}, {"X", "1"}, {"x", "2"}};
  CHECK(headers.get("X") == "1");
  CHECK(headers.get("none").empty());
  headers.add("X", "3");
  CHECK(headers.all().size() == 4);
  headers.set("x", "4");
  CHECK(headers.all().size() == 2);
  headers.remove("ACCEPT");
  CHECK_FALSE(headers.find("accept"));
}

TEST_CASE("an authority can be stored and loaded, and refuses another's key", "[certificates]") {
  const auto now = base::parseTime("2026-05-01T00:00:00Z").value();
  const auto a = net::CertificateAuthority::create("ingot CA", now);
  const auto b = net::CertificateAuthority::create("ingot CA", now);
  CHECK(net::CertificateAuthority::load(a.keyPair()).certificatePem() == a.certificatePem());
  CHECK_THROWS_AS(net::CertificateAuthority::load({a.certificatePem(), b.keyPair().privateKeyPem}),
                  net::CertificateError);
  CHECK_THROWS_AS(net::CertificateAuthority::load({"nothing", b.keyPair().privateKeyPem}), net::CertificateError);
}

TEST_CASE("issued certificates say what was asked for", "[certificates]") {
  const auto now = base::parseTime("2026-05-01T00:00:00Z").value();
  const auto authority = net::CertificateAuthority::create("ingot CA", now);
  const auto server =
      authority.issue(net::ServerCertificate{"api", {"localhost", "a,DNS:evil"}, {"127.0.0.1", "fd00::1"}, 24h}, now);
  CHECK(net::namesOf(server.certificatePem) ==
        std::vector<std::string>{"localhost", "a,DNS:evil", "127.0.0.1", "fd00::1"});
  CHECK(base::formatTime(net::expiresAt(server.certificatePem)) == "2026-05-02T00:00:00Z");
  CHECK(net::fingerprintSha256(server.certificatePem).size() == 95);
  CHECK(net::fingerprintSha256(server.certificatePem) != net::fingerprintSha256(authority.certificatePem()));

  const auto client = authority.issue(net::ClientCertificate{"admin", {"system:masters", "b"}}, now);
  CHECK(net::subjectOf(client.certificatePem).commonName == "admin");
  CHECK(net::subjectOf(client.certificatePem).organizations == std::vector<std::string>{"system:masters", "b"});
  CHECK_THROWS_AS(authority.issue(net::ServerCertificate{"x", {}, {"not an address"}}, now), net::CertificateError);
}

TEST_CASE("a path is its segments, decoded", "[url]") {
  using Segments = std::vector<std::string>;
  CHECK(net::pathSegments("") == Segments{});
  CHECK(net::pathSegments("/") == Segments{""});
  CHECK(net::pathSegments("/a/b%20c/d%2Fe") == Segments{"a", "b c", "d/e"});
  CHECK(net::pathSegments("/a//b/") == Segments{"a", "", "b", ""});
}
