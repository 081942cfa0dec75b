#include "sim/kubelet/keys.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "net/openssl.hpp"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <memory>

namespace ingot::sim::kubelet {

namespace {

using net::openssl::Certificate;
using PrivateKey = net::openssl::Key;
using Memory = net::openssl::Bio;
using Request = std::unique_ptr<X509_REQ, net::openssl::Deleter<X509_REQ_free>>;

void mustDo(bool done, const char* what) {
  if (!done) throw base::Error(std::string(what) + " failed");
}

std::string textIn(const Memory& memory) {
  char* data = nullptr;
  const auto size = BIO_get_mem_data(memory.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

void addToName(X509_NAME* name, int part, const std::string& value) {
  mustDo(X509_NAME_add_entry_by_NID(name, part, MBSTRING_UTF8, reinterpret_cast<const unsigned char*>(value.data()),
                                    static_cast<int>(value.size()), -1, 0) == 1,
         "setting the subject of a request");
}

}  // namespace

CertificateRequest requestCertificate(const std::string& user, const std::string& group) {
  const PrivateKey key(EVP_EC_gen("P-256"));
  const Request request(X509_REQ_new());
  mustDo(key && request, "making a key");
  auto* name = X509_REQ_get_subject_name(request.get());
  addToName(name, NID_organizationName, group);
  addToName(name, NID_commonName, user);
  mustDo(
      X509_REQ_set_pubkey(request.get(), key.get()) == 1 && X509_REQ_sign(request.get(), key.get(), EVP_sha256()) > 0,
      "signing a request");

  const Memory requestText(BIO_new(BIO_s_mem())), keyText(BIO_new(BIO_s_secmem()));
  mustDo(PEM_write_bio_X509_REQ(requestText.get(), request.get()) == 1, "writing a request");
  mustDo(PEM_write_bio_PKCS8PrivateKey(keyText.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1,
         "writing a key");
  return {textIn(requestText), base::Secret(textIn(keyText))};
}

std::string publicKeyHash(std::string_view certificatePem) {
  const Memory in(BIO_new_mem_buf(certificatePem.data(), static_cast<int>(certificatePem.size())));
  const Certificate certificate(PEM_read_bio_X509(in.get(), nullptr, nullptr, nullptr));
  mustDo(certificate != nullptr, "reading the certificate of an authority");
  unsigned char* bytes = nullptr;
  const int size = i2d_PUBKEY(X509_get0_pubkey(certificate.get()), &bytes);
  mustDo(size > 0, "reading a public key");
  const auto hash = sha256({reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)});
  OPENSSL_free(bytes);
  return "sha256:" + hash;
}

std::string sha256(std::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  mustDo(EVP_Digest(bytes.data(), bytes.size(), digest, &length, EVP_sha256(), nullptr) == 1, "hashing");
  return base::hex({reinterpret_cast<const char*>(digest), length});
}

}  // namespace ingot::sim::kubelet
