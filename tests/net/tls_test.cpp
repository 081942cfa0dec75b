// The real client against the real server: who is trusted, and which connections are shared.
#include "net/curl/idle_handles.hpp"
#include "net/kept_connections.hpp"
#include "tests/net/world.hpp"

#include "tests/support/file_openings.hpp"
#include "tests/support/temporary_folder.hpp"

#include <curl/curl.h>
#include <catch2/catch.hpp>

#include <fstream>
#include <set>

using namespace ingot;
using namespace std::chrono_literals;
using net::HttpError;
using tests::World;

TEST_CASE_METHOD(World, "a thousand requests one after another share one connection", "[tls][reuse]") {
  listen();
  const auto client = transport->connect(options());
  std::set<std::string> connections;
  for (int i = 0; i < 1000; ++i) connections.insert(get(*client));
  CHECK(connections.size() == 1);
  CHECK(server->connections() == 1);
}

TEST_CASE_METHOD(World, "a client takes up the connection that one like it has left", "[tls][reuse]") {
  listen();
  const auto before = transport->connect(options());
  const auto connection = get(*before);
  for (int i = 0; i < 20; ++i) CHECK(get(*transport->connect(options())) == connection);
}

TEST_CASE_METHOD(World, "no more connections are kept than the transport was told, and requests go on",
                 "[tls][reuse]") {
  listen();
  constexpr int clients = 6;
  const auto connectionsLeft = [&](net::HttpTransport& of) {
    std::vector<std::unique_ptr<net::HttpClient>> all;
    for (int i = 0; i < clients; ++i) {  // who trusts other keys shares no connection
      auto each = options();
      each.tls.pinnedKeys = net::pinnedKeyOf(ids.server.certificatePem);
      for (int j = 0; j < i; ++j) each.tls.pinnedKeys += ";" + net::pinnedKeyOf(ids.server.certificatePem);
      all.push_back(of.connect(each));
    }
    for (int round = 0; round < 2; ++round)
      for (const auto& client : all) CHECK_FALSE(get(*client).empty());
    return server->connections();
  };
  const auto few = net::curlTransport(runtime, 2);
  CHECK(connectionsLeft(*few) <= 3);  // the server hears of the last closing later
  CHECK(connectionsLeft(*transport) >= clients);
}

TEST_CASE_METHOD(World, "a new connection takes up the TLS session of an old one, with the identity proved then",
                 "[tls][reuse]") {
  std::vector<net::PeerIdentity> seen;
  tests::Handler noting([&](net::ServerRequest request, net::Responder& out) {
    seen.push_back(request.peer);
    return out.send({.status = 200});
  });
  server = net::listen(
      runtime,
      [&] {
        net::ServerOptions o;
        o.tls = net::ServerTls{ids.server.certificatePem, ids.server.privateKeyPem, ids.authority.certificatePem()};
        return o;
      }(),
      noting);
  auto known = options();
  known.tls.certificatePem = ids.client.certificatePem;
  known.tls.privateKeyPem = ids.client.privateKeyPem;
  const auto client = transport->connect(known);
  net::HttpRequest request;
  request.headers.set("Connection", "close");
  for (int i = 0; i < 3; ++i) CHECK(run(client->send(request)).status == 200);
  REQUIRE(seen.size() == 3);
  CHECK_FALSE(seen[0].resumed);
  CHECK(seen[1].resumed);
  CHECK(seen[2].resumed);
  for (const auto& peer : seen) CHECK(peer.commonName == "alice");
}

TEST_CASE_METHOD(World, "clients of many servers take up their sessions, however many there are", "[tls][reuse]") {
  std::vector<bool> resumed;
  handler = tests::Handler([&](net::ServerRequest request, net::Responder& out) {
    resumed.push_back(request.peer.resumed);
    return out.send({.status = 200});
  });
  const auto one = net::curlTransport(runtime, 500);  // that share all that clients can share
  constexpr std::size_t many = net::curl::IdleHandles::most + 8;
  std::vector<std::unique_ptr<net::Server>> servers;
  std::vector<std::unique_ptr<net::HttpClient>> clients;
  for (std::size_t i = 0; i < many; ++i) {
    listen();
    clients.push_back(one->connect(options()));
    servers.push_back(std::move(server));
  }
  net::HttpRequest closing;
  closing.headers.set("Connection", "close");
  for (int round = 0; round < 3; ++round)
    for (const auto& client : clients) CHECK(run(client->send(closing)).status == 200);
  CHECK(static_cast<std::size_t>(std::ranges::count(resumed, true)) == 2 * many);
  for (const auto& each : servers) run(each->stop(0s));
}

TEST_CASE_METHOD(World, "a server can change its certificate: the next connections see the new one", "[tls]") {
  listen();
  const auto kept = transport->connect(options());
  const auto connection = get(*kept);
  const auto other = net::CertificateAuthority::create("other CA", clock.wall());
  const auto next = other.issue(net::ServerCertificate{"server", {"localhost"}, {"127.0.0.1"}}, clock.wall());
  server->renew({next.certificatePem, next.privateKeyPem, other.certificatePem()});
  CHECK(get(*kept) == connection);  // what stands goes on
  auto o = options();
  o.tls.caPem = other.certificatePem();
  CHECK_FALSE(get(o).empty());
  CHECK_THROWS_AS(server->renew({next.certificatePem, ids.server.privateKeyPem, ""}), base::Error);
  CHECK_FALSE(get(o).empty());
}

TEST_CASE_METHOD(World, "two clients with different identities never share a connection", "[tls][reuse]") {
  listen();
  auto known = options();
  known.tls.certificatePem = ids.client.certificatePem;
  known.tls.privateKeyPem = ids.client.privateKeyPem;
  const auto anonymous = transport->connect(options());
  const auto alice = transport->connect(known);
  CHECK(get(*anonymous) != get(*alice));
}

TEST_CASE_METHOD(World, "a server of another authority is not spoken to", "[tls]") {
  listen();
  auto o = options();
  o.tls.caPem = net::CertificateAuthority::create("other CA", clock.wall()).certificatePem();
  const auto e = failure(o);
  CHECK(e.code() == HttpError::Code::tls);
  CHECK_THAT(e.what(),
             Catch::Contains("GET https://127.0.0.1") &&
                 Catch::Contains("check the CA, the client certificate and the names in the server's certificate"));
  o.tls.verify = false;
  CHECK_FALSE(get(o).empty());
}

TEST_CASE_METHOD(World, "without a CA of its own the system's roots decide, which are read once", "[tls]") {
  const char* bundle = curl_version_info(CURLVERSION_NOW)->cainfo;
  REQUIRE(bundle != nullptr);
  listen();
  auto o = options();
  CHECK_FALSE(get(o).empty());
  o.tls.caPem.clear();
  const tests::FileOpenings openings(bundle);
  for (int i = 0; i < 5; ++i) CHECK(failure(o).code() == HttpError::Code::tls);
  CHECK(openings.count() == 1);
}

TEST_CASE_METHOD(World, "a certificate for another name is refused, unless that name is the one expected", "[tls]") {
  listen();
  auto o = options("127.0.0.2");  // reaches the same server, the certificate does not have it
  {
    net::ServerOptions all;
    all.address = "0.0.0.0";
    run(server->stop(0s));
    listen(all);
    o = options("127.0.0.2");
  }
  CHECK(failure(o).code() == HttpError::Code::tls);
  o.tls.serverName = "ingot.test";
  CHECK_FALSE(get(o).empty());
  CHECK_FALSE(get(options("localhost")).empty());
}

TEST_CASE_METHOD(World, "a client certificate of another authority, or one that has run out, proves nobody", "[tls]") {
  std::vector<net::PeerIdentity> seen;
  handler = tests::Handler([&](net::ServerRequest request, net::Responder& out) {
    seen.push_back(request.peer);
    return out.send({.status = 200});
  });
  listen();
  const auto other = net::CertificateAuthority::create("other CA", clock.wall());
  const auto mallory = other.issue(net::ClientCertificate{"mallory", {}}, clock.wall());
  const auto late = ids.authority.issue(net::ClientCertificate{"late", {}, 1h}, clock.wall() - 48h);
  for (const auto& pair : {mallory, late}) {
    auto o = options();
    o.tls.certificatePem = pair.certificatePem;
    o.tls.privateKeyPem = pair.privateKeyPem;
    const auto client = transport->connect(o);
    net::HttpRequest request;
    request.headers.set("Connection", "close");
    for (int i = 0; i < 2; ++i) CHECK(run(client->send(request)).status == 200);
  }
  REQUIRE(seen.size() == 4);
  for (const auto& peer : seen) CHECK(peer.commonName.empty());
  CHECK(seen[1].resumed);  // a session that is taken up again proves no more than it did
}

TEST_CASE_METHOD(World, "an expired certificate is refused", "[tls]") {
  const auto old = ids.authority.issue(net::ServerCertificate{"old", {}, {"127.0.0.1"}, 1h}, clock.wall() - 48h);
  net::ServerOptions o;
  o.tls = net::ServerTls{old.certificatePem, old.privateKeyPem, ""};
  server = net::listen(runtime, o, handler);
  CHECK(failure(options()).code() == HttpError::Code::tls);
}

TEST_CASE_METHOD(World, "unusable key material is refused when the client is made", "[tls]") {
  listen();
  auto o = options();
  o.tls.caPem = "not PEM";
  CHECK_THROWS_AS(transport->connect(o), HttpError);
  o = options();
  o.tls.caPem.clear();
  o.tls.caFile = "/no/such/ca.pem";
  CHECK_THROWS_WITH(transport->connect(o), Catch::Contains("/no/such/ca.pem"));
  o = options();
  o.tls.certificatePem = ids.client.certificatePem;
  o.tls.privateKeyPem = ids.server.privateKeyPem;
  CHECK_THROWS_WITH(transport->connect(o), Catch::Contains("do not belong together"));
}

TEST_CASE_METHOD(World, "a CA file is read once for all clients, and again when it has changed", "[tls]") {
  const tests::TemporaryFolder folder;
  net::ClientOptions o{.baseUrl = "https://127.0.0.1:1"};
  o.tls.caFile = folder.path("ca.pem");
  const auto write = [&](const std::string& text) { std::ofstream(o.tls.caFile) << text; };
  write(ids.authority.certificatePem());
  const tests::FileOpenings openings(o.tls.caFile);
  for (int i = 0; i < 500; ++i) CHECK_NOTHROW(transport->connect(o));
  CHECK(openings.count() == 1);
  write("not PEM");
  CHECK_THROWS_WITH(transport->connect(o), Catch::Contains("holds no PEM certificate"));
  CHECK_THROWS_AS(transport->connect(o), HttpError);
  write(ids.authority.certificatePem());
  CHECK_NOTHROW(transport->connect(o));
}
