// Which TLS a server speaks.
#include "net/beast/byte_stream.hpp"
#include "tests/net/pair.hpp"

#include <openssl/err.h>

#include <catch2/catch.hpp>

using namespace ingot;
using net::TlsVersion;

namespace {

net::ServerTls policy() {
  const auto& ids = tests::Identities::get();
  return {.certificatePem = ids.server.certificatePem, .privateKeyPem = ids.server.privateKeyPem, .clientCaPem = ""};
}

std::vector<std::string> suitesOfTls12(SSL_CTX* context) {
  std::vector<std::string> out;
  const auto* all = SSL_CTX_get_ciphers(context);
  for (int i = 0; i < sk_SSL_CIPHER_num(all); ++i) {
    const auto* cipher = sk_SSL_CIPHER_value(all, i);
    if (std::string_view(SSL_CIPHER_get_version(cipher)) != "TLSv1.3")
      out.emplace_back(SSL_CIPHER_standard_name(cipher));
  }
  return out;
}

// Whether the server comes to terms with a client that exchanges keys in this way only.
bool agrees(const net::ServerTls& tls, const char* group) {
  const auto server = net::serverContext(tls);
  const net::openssl::Context client(SSL_CTX_new(TLS_client_method()));
  REQUIRE(SSL_CTX_set1_groups_list(client.get(), group) == 1);
  SSL *there = SSL_new(server.get()), *here = SSL_new(client.get());
  BIO *first = nullptr, *second = nullptr;
  BIO_new_bio_pair(&first, 0, &second, 0);
  SSL_set_bio(there, first, first);
  SSL_set_bio(here, second, second);
  SSL_set_accept_state(there);
  SSL_set_connect_state(here);
  for (int round = 0; round < 10; ++round) {
    SSL_do_handshake(here);
    SSL_do_handshake(there);
  }
  const bool done = SSL_is_init_finished(here) == 1 && SSL_is_init_finished(there) == 1;
  SSL_free(there);
  SSL_free(here);
  ERR_clear_error();
  return done;
}

}  // namespace

TEST_CASE("TLS 1.2 and 1.3 are spoken unless a server is told otherwise", "[tls]") {
  auto tls = policy();
  const auto usual = net::serverContext(tls);
  CHECK(SSL_CTX_get_min_proto_version(usual.get()) == TLS1_2_VERSION);
  CHECK(SSL_CTX_get_max_proto_version(usual.get()) == TLS1_3_VERSION);
  tls.lowest = TlsVersion::tls13;
  CHECK(SSL_CTX_get_min_proto_version(net::serverContext(tls).get()) == TLS1_3_VERSION);
  tls.lowest = tls.highest = TlsVersion::tls12;
  CHECK(SSL_CTX_get_max_proto_version(net::serverContext(tls).get()) == TLS1_2_VERSION);
}

TEST_CASE("the cipher suites of TLS 1.2 are those that were chosen", "[tls]") {
  const std::vector<std::string> chosen = {"TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
                                           "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"};
  auto tls = policy();
  CHECK(suitesOfTls12(net::serverContext(tls).get()).size() > 2);
  tls.cipherSuites = chosen;
  tls.cipherSuites.emplace_back("TLS_AES_128_GCM_SHA256");  // of TLS 1.3: nothing to choose
  CHECK(suitesOfTls12(net::serverContext(tls).get()) == chosen);
  tls.cipherSuites = {"TLS_RSA_WITH_NOTHING"};
  CHECK_THROWS_WITH(net::serverContext(tls), Catch::Contains("TLS_RSA_WITH_NOTHING"));
  CHECK(net::isCipherSuite("TLS_AES_128_GCM_SHA256"));
  CHECK(net::isCipherSuite(chosen.front()));
  CHECK_FALSE(net::isCipherSuite("ECDHE-RSA-AES128-GCM-SHA256"));
}

TEST_CASE("keys are exchanged in the ways that were chosen", "[tls]") {
  auto tls = policy();
  for (const char* group : {"X25519", "P-256", "P-384"}) CHECK(agrees(tls, group));
  tls.keyExchanges = {"CurveP384", "X25519"};
  CHECK(agrees(tls, "P-384"));
  CHECK(agrees(tls, "X25519"));
  CHECK_FALSE(agrees(tls, "P-256"));
  tls.keyExchanges = {"Curve0"};
  CHECK_THROWS_WITH(net::serverContext(tls), Catch::Contains("Curve0"));
  CHECK(net::keyExchangeCalled("CurveP521") == net::KeyExchange::usable);
  CHECK(net::keyExchangeCalled("P-521") == net::KeyExchange::unknown);
}
