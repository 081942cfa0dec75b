// Owners of OpenSSL objects, and its error queue as text. For the files of net that implement TLS only.
#pragma once

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::net {
struct PeerIdentity;
}

namespace ingot::net::openssl {

template <auto Free>
struct Deleter {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};

using Bio = std::unique_ptr<BIO, Deleter<BIO_free_all>>;
using Key = std::unique_ptr<EVP_PKEY, Deleter<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Deleter<X509_free>>;
using Context = std::unique_ptr<SSL_CTX, Deleter<SSL_CTX_free>>;
using Connection = std::unique_ptr<SSL, Deleter<SSL_free>>;

// The oldest error in OpenSSL's queue, in its words; the queue is empty afterwards.
[[nodiscard]] std::string takeError();

// All certificates of a PEM text, in order; empty when there is none.
[[nodiscard]] std::vector<Certificate> readCertificates(std::string_view pem);

// nullptr when the text holds no usable private key. Never asks for a passphrase.
[[nodiscard]] Key readPrivateKey(std::string_view pem);

// OpenSSL takes keys, and numbers in them, with which it computes for seconds. What a stranger chooses holds the loop.
constexpr int longestRsaKey = 8192;                           // bits; Go's TLS takes none longer
[[nodiscard]] bool signsQuickly(const EVP_PKEY* privateKey);  // RSA with no number longer than the key, ECDSA, EdDSA
[[nodiscard]] bool verifiesQuickly(const X509* signer);       // RSA with a short exponent, ECDSA, EdDSA

// Common name and organizations of the subject.
[[nodiscard]] PeerIdentity identityOf(const X509* certificate);

}  // namespace ingot::net::openssl
