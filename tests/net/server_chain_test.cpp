// With which keys and how many certificates a server may prove who it is: none that keep the loop for long.
#include "net/openssl.hpp"
#include "tests/net/tls_answer.hpp"
#include "tests/net/world.hpp"

#include <catch2/catch.hpp>

#include <openssl/core_names.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>

using namespace ingot;
using net::HttpError;
using net::openssl::Certificate;
using net::openssl::Key;

namespace {

Key plainKey() { return Key(EVP_EC_gen("P-256")); }

// A whole RSA key whose public exponent is as long as its modulus: it has changed places with the private one.
Key costlyKey() {
  const Key usual(EVP_RSA_gen(2048));
  const auto number = [&](const char* name) {
    BIGNUM* found = nullptr;
    REQUIRE(EVP_PKEY_get_bn_param(usual.get(), name, &found) == 1);
    return std::unique_ptr<BIGNUM, net::openssl::Deleter<BN_free>>(found);
  };
  const auto n = number(OSSL_PKEY_PARAM_RSA_N), e = number(OSSL_PKEY_PARAM_RSA_E), d = number(OSSL_PKEY_PARAM_RSA_D);
  const std::unique_ptr<OSSL_PARAM_BLD, net::openssl::Deleter<OSSL_PARAM_BLD_free>> building(OSSL_PARAM_BLD_new());
  OSSL_PARAM_BLD_push_BN(building.get(), OSSL_PKEY_PARAM_RSA_N, n.get());
  OSSL_PARAM_BLD_push_BN(building.get(), OSSL_PKEY_PARAM_RSA_E, d.get());
  OSSL_PARAM_BLD_push_BN(building.get(), OSSL_PKEY_PARAM_RSA_D, e.get());
  const std::unique_ptr<OSSL_PARAM, net::openssl::Deleter<OSSL_PARAM_free>> numbers(
      OSSL_PARAM_BLD_to_param(building.get()));
  const std::unique_ptr<EVP_PKEY_CTX, net::openssl::Deleter<EVP_PKEY_CTX_free>> making(
      EVP_PKEY_CTX_new_from_name(nullptr, "RSA", nullptr));
  EVP_PKEY* key = nullptr;
  EVP_PKEY_fromdata_init(making.get());
  REQUIRE(EVP_PKEY_fromdata(making.get(), &key, EVP_PKEY_KEYPAIR, numbers.get()) == 1);
  return Key(key);
}

struct Signed {
  Key key;
  Certificate certificate;
};

void add(X509* certificate, int kind, const std::string& value) {
  const std::unique_ptr<X509_EXTENSION, net::openssl::Deleter<X509_EXTENSION_free>> made(
      X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str()));
  REQUIRE(X509_add_ext(certificate, made.get(), -1) == 1);
}

// By itself without `by`.
Signed certificateFor(Key key, const Signed* by, bool isServer) {
  static int made = 0;
  const auto name = fmt::format("certificate {}", ++made);
  Certificate certificate(X509_new());
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), made);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
  auto* subject = X509_get_subject_name(certificate.get());
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1,
                             0);
  X509_set_issuer_name(certificate.get(), by ? X509_get_subject_name(by->certificate.get()) : subject);
  add(certificate.get(), NID_basic_constraints, isServer ? "critical,CA:FALSE" : "critical,CA:TRUE");
  if (isServer) add(certificate.get(), NID_subject_alt_name, "IP:127.0.0.1");
  REQUIRE(X509_set_pubkey(certificate.get(), key.get()) == 1);
  REQUIRE(X509_sign(certificate.get(), by ? by->key.get() : key.get(), EVP_sha256()) > 0);
  return {std::move(key), std::move(certificate)};
}

// From the root down to the server, by their keys.
std::vector<Signed> chainOf(std::vector<Key> keys) {
  std::vector<Signed> chain;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto* signer = chain.empty() ? nullptr : &chain.back();
    chain.push_back(certificateFor(std::move(keys[i]), signer, i + 1 == keys.size()));
  }
  return chain;
}

template <class... Keys>
std::vector<Signed> chainOf(Keys... each) {
  std::vector<Key> keys;
  (keys.push_back(std::move(each)), ...);
  return chainOf(std::move(keys));
}

std::string pemOf(X509* certificate) {
  const net::openssl::Bio out(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(out.get(), certificate);
  char* data = nullptr;
  const auto size = BIO_get_mem_data(out.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

net::openssl::Context serverOf(const std::vector<Signed>& chain) {
  net::openssl::Context context(SSL_CTX_new(TLS_server_method()));
  SSL_CTX_use_certificate(context.get(), chain.back().certificate.get());
  REQUIRE(SSL_CTX_use_PrivateKey(context.get(), chain.back().key.get()) == 1);
  for (auto each = std::next(chain.rbegin()); each != chain.rend(); ++each)
    REQUIRE(SSL_CTX_add1_chain_cert(context.get(), each->certificate.get()) == 1);
  return context;
}

struct Chains : tests::World {
  // How a request to such a server fails, whose root is the CA.
  std::optional<HttpError::Code> failureOf(const std::vector<Signed>& chain, bool verify = true) {
    const tests::TlsAnswer server(serverOf(chain));
    net::ClientOptions o{.baseUrl = server.url()};
    o.tls.verify = verify;
    o.tls.caPem = pemOf(chain.front().certificate.get());
    try {
      const auto answer = run(transport->connect(o)->send({.target = "/"}));
      CHECK(answer.status == 200);
    } catch (const HttpError& e) {
      return e.code();
    }
    return std::nullopt;
  }
};

}  // namespace

TEST_CASE_METHOD(Chains, "a server with a key that takes long to verify with is refused, wherever in its chain it is",
                 "[tls]") {
  CHECK_FALSE(failureOf(chainOf(plainKey(), plainKey(), plainKey())));
  CHECK_FALSE(failureOf(chainOf(Key(EVP_RSA_gen(2048)), Key(EVP_RSA_gen(3072)), Key(EVP_RSA_gen(2048)))));
  CHECK(failureOf(chainOf(plainKey(), costlyKey())) == HttpError::Code::tls);
  CHECK(failureOf(chainOf(plainKey(), costlyKey(), plainKey())) == HttpError::Code::tls);
}

// Its key is computed with all the same.
TEST_CASE_METHOD(Chains, "so is one that nobody verifies", "[tls]") {
  CHECK_FALSE(failureOf(chainOf(plainKey(), plainKey()), false));
  CHECK(failureOf(chainOf(plainKey(), costlyKey()), false) == HttpError::Code::tls);
}

TEST_CASE_METHOD(Chains, "no client is made with a CA whose key takes long to verify with", "[tls]") {
  net::ClientOptions o{.baseUrl = "https://127.0.0.1:1"};
  o.tls.caPem = pemOf(chainOf(plainKey()).front().certificate.get());
  CHECK_NOTHROW(transport->connect(o));
  o.tls.caPem += pemOf(chainOf(costlyKey()).front().certificate.get());
  CHECK_THROWS_WITH(transport->connect(o), Catch::Contains("takes too long to verify with"));
}

TEST_CASE_METHOD(Chains, "between a root and a server are eight certificates at most", "[tls]") {
  const auto failureWith = [&](std::size_t between) {
    std::vector<Key> keys;
    while (keys.size() < between + 2) keys.push_back(plainKey());
    return failureOf(chainOf(std::move(keys)));
  };
  CHECK_FALSE(failureWith(8));
  CHECK(failureWith(9) == HttpError::Code::tls);
}

TEST_CASE_METHOD(Chains, "a server's certificates have 32 KiB at most, whatever they are good for", "[tls]") {
  const auto failureWith = [&](std::size_t size) {
    auto chain = chainOf(plainKey(), plainKey());
    auto root = std::move(chain.front());
    auto padding = certificateFor(plainKey(), &root, false);
    add(padding.certificate.get(), NID_netscape_comment, std::string(size, 'a'));
    X509_sign(padding.certificate.get(), root.key.get(), EVP_sha256());
    std::vector<Signed> shown;
    shown.push_back(std::move(root));
    shown.push_back(std::move(padding));
    shown.push_back(std::move(chain.back()));
    return failureOf(shown);
  };
  CHECK_FALSE(failureWith(20'000));
  CHECK(failureWith(40'000) == HttpError::Code::tls);
}
