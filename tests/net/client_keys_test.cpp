// Which keys a client signs with, and with which it lets itself be spoken to: none that keep the loop for long.
#include "net/openssl.hpp"
#include "tests/net/tls_answer.hpp"
#include "tests/net/world.hpp"

#include <catch2/catch.hpp>

#include <openssl/core_names.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

using namespace ingot;
using namespace std::chrono_literals;
using net::HttpError;
using net::openssl::Key;

namespace {

using Number = std::unique_ptr<BIGNUM, net::openssl::Deleter<BN_free>>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, net::openssl::Deleter<EVP_PKEY_CTX_free>>;

// The form of an RSA key of that size, some of its numbers of others: it signs nothing, and takes no time to find.
Key formOfRsa(int bits, int exponent = 0, int reducedExponent = 0, int factor = 0) {
  std::unique_ptr<OSSL_PARAM_BLD, net::openssl::Deleter<OSSL_PARAM_BLD_free>> building(OSSL_PARAM_BLD_new());
  std::vector<Number> numbers;
  const auto add = [&](const char* name, int size) {
    numbers.emplace_back(BN_secure_new());
    BN_rand(numbers.back().get(), size, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ODD);
    OSSL_PARAM_BLD_push_BN(building.get(), name, numbers.back().get());
  };
  add(OSSL_PKEY_PARAM_RSA_N, bits);
  add(OSSL_PKEY_PARAM_RSA_E, 17);
  add(OSSL_PKEY_PARAM_RSA_D, exponent > 0 ? exponent : bits);
  add(OSSL_PKEY_PARAM_RSA_FACTOR1, bits / 2);
  add(OSSL_PKEY_PARAM_RSA_FACTOR2, factor > 0 ? factor : bits / 2);
  add(OSSL_PKEY_PARAM_RSA_EXPONENT1, bits / 2);
  add(OSSL_PKEY_PARAM_RSA_EXPONENT2, reducedExponent > 0 ? reducedExponent : bits / 2);
  add(OSSL_PKEY_PARAM_RSA_COEFFICIENT1, bits / 2);
  std::unique_ptr<OSSL_PARAM, net::openssl::Deleter<OSSL_PARAM_free>> parameters(
      OSSL_PARAM_BLD_to_param(building.get()));
  const KeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, "RSA", nullptr));
  EVP_PKEY* key = nullptr;
  EVP_PKEY_fromdata_init(context.get());
  EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_KEYPAIR, parameters.get());
  return Key(key);
}

Key keyOf(const char* kind) { return Key(EVP_PKEY_Q_keygen(nullptr, nullptr, kind)); }

std::string textOf(const net::openssl::Bio& bio) {
  char* data = nullptr;
  const auto size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

std::string pemOf(EVP_PKEY* key, const EVP_CIPHER* cipher = nullptr) {
  const net::openssl::Bio out(BIO_new(BIO_s_mem()));
  REQUIRE(PEM_write_bio_PKCS8PrivateKey(out.get(), key, cipher, "", 0, nullptr, nullptr) == 1);
  return textOf(out);
}

// A certificate of that key, signed by another one when it cannot sign itself.
std::string certificateOf(EVP_PKEY* key, EVP_PKEY* signer) {
  const net::openssl::Certificate made(X509_new());
  X509_set_version(made.get(), X509_VERSION_3);
  X509_gmtime_adj(X509_getm_notBefore(made.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(made.get()), 3600);
  REQUIRE(X509_set_pubkey(made.get(), key) == 1);
  REQUIRE(X509_sign(made.get(), signer, EVP_sha256()) > 0);
  const net::openssl::Bio out(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(out.get(), made.get());
  return textOf(out);
}

std::optional<HttpError::Code> connecting(EVP_PKEY* key, const EVP_CIPHER* cipher = nullptr) {
  REQUIRE(key != nullptr);
  static const Key signer(EVP_EC_gen("P-256"));
  tests::RealLoop loop;
  net::ClientOptions options{.baseUrl = "https://127.0.0.1:1"};
  options.tls.certificatePem = certificateOf(key, signer.get());
  options.tls.privateKeyPem = base::Secret(pemOf(key, cipher));
  try {
    (void)net::curlTransport(loop.runtime)->connect(options);
  } catch (const HttpError& e) {
    return e.code();
  }
  return std::nullopt;
}

// Speaks TLS 1.2, with these Diffie-Hellman parameters.
net::openssl::Context ephemeral(const char* group) {
  net::openssl::Context context(SSL_CTX_new(TLS_server_method()));
  const Key key(EVP_RSA_gen(2048));
  const auto certificate = certificateOf(key.get(), key.get());
  SSL_CTX_use_certificate(context.get(), net::openssl::readCertificates(certificate).front().get());
  SSL_CTX_use_PrivateKey(context.get(), key.get());
  SSL_CTX_set_max_proto_version(context.get(), TLS1_2_VERSION);
  REQUIRE(SSL_CTX_set_cipher_list(context.get(), "DHE-RSA-AES256-GCM-SHA384") == 1);
  const KeyContext making(EVP_PKEY_CTX_new_from_name(nullptr, "DH", nullptr));
  EVP_PKEY* parameters = nullptr;
  EVP_PKEY_paramgen_init(making.get());
  EVP_PKEY_CTX_set_group_name(making.get(), group);
  REQUIRE(EVP_PKEY_paramgen(making.get(), &parameters) == 1);
  REQUIRE(SSL_CTX_set0_tmp_dh_pkey(context.get(), parameters) == 1);
  return context;
}

}  // namespace

TEST_CASE("a client's key is of a size and kind that takes little time", "[tls]") {
  CHECK_FALSE(connecting(formOfRsa(2048).get()));
  CHECK_FALSE(connecting(formOfRsa(4096).get()));
  CHECK_FALSE(connecting(formOfRsa(8192).get()));
  CHECK(connecting(formOfRsa(8200).get()) == HttpError::Code::tls);
  CHECK(connecting(formOfRsa(16384).get()) == HttpError::Code::tls);
  CHECK(connecting(formOfRsa(2048, 500'000).get()) == HttpError::Code::tls);
  CHECK(connecting(formOfRsa(2048, 0, 500'000).get()) == HttpError::Code::tls);
  CHECK(connecting(formOfRsa(2048, 0, 0, 100'000).get()) == HttpError::Code::tls);
  CHECK_FALSE(connecting(Key(EVP_EC_gen("P-384")).get()));
  CHECK_FALSE(connecting(keyOf("ED25519").get()));
  CHECK(connecting(keyOf("X25519").get()) == HttpError::Code::tls);
}

// To try one takes as long as whoever made the key wanted.
TEST_CASE("no passphrase is tried on a client's key, not even an empty one", "[tls]") {
  const Key key(EVP_EC_gen("P-256"));
  CHECK_FALSE(connecting(key.get()));
  CHECK(connecting(key.get(), EVP_aes_128_cbc()) == HttpError::Code::tls);
}

TEST_CASE_METHOD(tests::World, "a server may choose a Diffie-Hellman group, of a size that takes little time",
                 "[tls]") {
  const auto failure = [&](const char* group) -> std::optional<HttpError::Code> {
    const tests::TlsAnswer server(ephemeral(group));
    net::ClientOptions o{.baseUrl = server.url()};
    o.tls.verify = false;
    try {
      const auto answer = run(transport->connect(o)->send({.target = "/"}));
      CHECK(answer.status == 200);
    } catch (const HttpError& e) {
      return e.code();
    }
    return std::nullopt;
  };
  CHECK_FALSE(failure("ffdhe2048"));
  CHECK_FALSE(failure("modp_4096"));
  CHECK(failure("ffdhe6144") == HttpError::Code::tls);
  CHECK(failure("modp_8192") == HttpError::Code::tls);
}
