// How long OpenSSL would compute with a key.
#include "net/openssl.hpp"

#include <openssl/bn.h>
#include <openssl/core_names.h>

#include <algorithm>
#include <array>

namespace ingot::net::openssl {
namespace {

// OpenSSL's own bound of public exponents, which it has for moduli of more than 3072 bits alone.
constexpr int kLongestPublicExponent = 64;

bool isRsa(const EVP_PKEY* key) { return EVP_PKEY_is_a(key, "RSA") == 1 || EVP_PKEY_is_a(key, "RSA-PSS") == 1; }

bool isOfCurve(const EVP_PKEY* key) {
  return std::ranges::any_of(std::array{"EC", "ED25519", "ED448"},
                             [key](const char* kind) { return EVP_PKEY_is_a(key, kind) == 1; });
}

bool isShort(const EVP_PKEY* key, const char* number, int bits) {
  BIGNUM* found = nullptr;
  if (EVP_PKEY_get_bn_param(key, number, &found) != 1) return true;  // RSA can do without
  const std::unique_ptr<BIGNUM, Deleter<BN_clear_free>> owned(found);
  return BN_num_bits(owned.get()) <= bits;
}

// As long as the modulus at most: OpenSSL takes exponents and factors of any length, and its time grows with them.
bool hasShortNumbers(const EVP_PKEY* key) {
  constexpr std::array numbers{
      OSSL_PKEY_PARAM_RSA_E,         OSSL_PKEY_PARAM_RSA_D,         OSSL_PKEY_PARAM_RSA_COEFFICIENT1,
      OSSL_PKEY_PARAM_RSA_FACTOR1,   OSSL_PKEY_PARAM_RSA_FACTOR2,   OSSL_PKEY_PARAM_RSA_FACTOR3,
      OSSL_PKEY_PARAM_RSA_FACTOR4,   OSSL_PKEY_PARAM_RSA_FACTOR5,   OSSL_PKEY_PARAM_RSA_EXPONENT1,
      OSSL_PKEY_PARAM_RSA_EXPONENT2, OSSL_PKEY_PARAM_RSA_EXPONENT3, OSSL_PKEY_PARAM_RSA_EXPONENT4,
      OSSL_PKEY_PARAM_RSA_EXPONENT5};
  return std::ranges::all_of(numbers,
                             [key](const char* number) { return isShort(key, number, EVP_PKEY_get_bits(key)); });
}

}  // namespace

bool signsQuickly(const EVP_PKEY* privateKey) {
  if (isRsa(privateKey)) return EVP_PKEY_get_bits(privateKey) <= longestRsaKey && hasShortNumbers(privateKey);
  return isOfCurve(privateKey);
}

bool verifiesQuickly(const X509* signer) {
  const auto* key = X509_get0_pubkey(signer);
  if (key == nullptr) return true;  // nothing is checked with it
  if (!isRsa(key)) return isOfCurve(key);
  return EVP_PKEY_get_bits(key) <= longestRsaKey && isShort(key, OSSL_PKEY_PARAM_RSA_E, kLongestPublicExponent);
}

}  // namespace ingot::net::openssl
