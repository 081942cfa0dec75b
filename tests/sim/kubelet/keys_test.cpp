#include "sim/kubelet/keys.hpp"

#include "base/error.hpp"

#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::sim::kubelet;

namespace {

// openssl req -x509 -newkey ec; the hash by openssl x509 -pubkey | openssl pkey -pubin -outform DER | openssl sha256
constexpr auto certificate = R"(-----BEGIN CERTIFICATE-----
MIIBgTCCASegAwIBAgIUdKw5LLbR/nusls8sHCm24bgztSMwCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKa3ViZXJuZXRlczAgFw0yNjExMjMxMjMzMzNaGA8yMTI2MTAz
MDEyMzMzM1owFTETMBEGA1UEAwwKa3ViZXJuZXRlczBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABNU8yQlHIF5a9VMIfzloWp2oGAJjDoge9x46nBaJwnWSscfCaAy4
T8qIJk6fBXIaIMi1XX1o+3tzcsAS7fr/29GjUzBRMB0GA1UdDgQWBBRr64CUqxRX
pmaKpEEOtJzFQi69aTAfBgNVHSMEGDAWgBRr64CUqxRXpmaKpEEOtJzFQi69aTAP
BgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIQCQ84OMc/SdJC4jvjsr
4D+D61I/2MtaC6v/2H6GOe2kJgIgXvbG0rpQ5nvi3yt9RQUG8ITeyc625X8qJVYk
1Q7IZcM=
-----END CERTIFICATE-----
)";
constexpr auto hash = "sha256:43a4b78d79d64bc0b072fa88d5808536fcff973d8e0ae4c0008a5851a0603be1";

}  // namespace

TEST_CASE("an authority is known by the hash of its public key, as kubeadm writes it") {
  CHECK(publicKeyHash(certificate) == hash);
  CHECK_THROWS_AS(publicKeyHash("nothing"), base::Error);
}

TEST_CASE("a request names user and group, and is signed by its key") {
  const auto wanted = requestCertificate("system:node:a", "system:nodes");
  BIO* in = BIO_new_mem_buf(wanted.requestPem.data(), static_cast<int>(wanted.requestPem.size()));
  X509_REQ* request = PEM_read_bio_X509_REQ(in, nullptr, nullptr, nullptr);
  REQUIRE(request != nullptr);
  char subject[100];
  X509_NAME_oneline(X509_REQ_get_subject_name(request), subject, sizeof subject);
  CHECK(std::string(subject) == "/O=system:nodes/CN=system:node:a");
  CHECK(X509_REQ_verify(request, X509_REQ_get0_pubkey(request)) == 1);
  CHECK(wanted.privateKeyPem.reveal().starts_with("-----BEGIN PRIVATE KEY-----"));
  X509_REQ_free(request);
  BIO_free(in);
}
