// Public keys as curl pins them.
#include "base/base64.hpp"
#include "net/client.hpp"
#include "net/openssl.hpp"

#include <openssl/sha.h>

#include <array>

namespace ingot::net {

namespace {

constexpr std::string_view kPrefix = "sha256//";
constexpr std::size_t kDigestInBase64 = 44;

bool isPinnedKey(std::string_view text) {
  if (!text.starts_with(kPrefix) || text.size() != kPrefix.size() + kDigestInBase64) return false;
  const auto digest = base::fromBase64(text.substr(kPrefix.size()));
  return digest && digest->size() == SHA256_DIGEST_LENGTH;
}

}  // namespace

bool arePinnedKeys(std::string_view text) {
  while (true) {
    const auto end = text.find(';');
    if (!isPinnedKey(text.substr(0, end))) return false;
    if (end == text.npos) return true;
    text.remove_prefix(end + 1);
  }
}

std::string pinnedKeyOf(std::string_view pem) {
  const auto certificates = openssl::readCertificates(pem);
  if (certificates.empty()) return {};
  unsigned char* der = nullptr;
  const int length = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificates.front().get()), &der);
  if (length <= 0) return {};
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(der, static_cast<std::size_t>(length), digest.data());
  OPENSSL_free(der);
  return std::string(kPrefix) + base::toBase64({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

}  // namespace ingot::net
