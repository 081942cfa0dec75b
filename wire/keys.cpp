#include "wire/link.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <zmq.h>

#include <array>
#include <filesystem>

namespace ingot::wire {

namespace {

constexpr std::size_t keyLength = 40;

void writeSecret(const std::string& path, const base::Secret& key) {
  std::string text = key.reveal() + "\n";
  base::writeFileAtomically(path, text, 0600);
  base::wipe(text);
}

// For people and for the other side; the secret key is what counts.
void writePublic(const std::string& path, const std::string& key) {
  const std::string text = key + "\n";
  if (base::readFileIfExists(path) != text) base::writeFileAtomically(path, text, 0644);
}

}  // namespace

KeyPair generateKeyPair() {
  std::array<char, keyLength + 1> publicKey{}, secretKey{};
  if (zmq_curve_keypair(publicKey.data(), secretKey.data()) != 0)
    throw base::Error("this libzmq was built without CURVE");
  KeyPair pair{std::string(publicKey.data()), base::Secret(std::string(secretKey.data()))};
  OPENSSL_cleanse(secretKey.data(), secretKey.size());
  return pair;
}

std::optional<KeyPair> keyPairOf(const base::Secret& secretKey) {
  KeyPair pair{{}, base::Secret(std::string(base::trimmed(secretKey.reveal())))};
  const std::string& text = pair.secretKey.reveal();
  std::array<std::uint8_t, 32> raw{};
  std::array<char, keyLength + 1> derived{};
  const bool isKey = text.size() == keyLength && zmq_z85_decode(raw.data(), text.c_str()) != nullptr &&
                     zmq_curve_public(derived.data(), text.c_str()) == 0;
  OPENSSL_cleanse(raw.data(), raw.size());
  if (!isKey) return std::nullopt;
  pair.publicKey = derived.data();
  return pair;
}

KeyPair loadOrCreateKeyPair(const std::string& prefix) {
  const auto publicFile = prefix + ".pub", secretFile = prefix + ".key";
  if (!std::filesystem::exists(secretFile)) {
    const auto pair = generateKeyPair();
    writePublic(publicFile, pair.publicKey);
    writeSecret(secretFile, pair.secretKey);
    return pair;
  }
  auto pair = keyPairOf(base::Secret(base::readFile(secretFile)));
  if (!pair) throw base::Error(secretFile + " does not hold a CURVE key (40 characters of Z85)");
  writePublic(publicFile, pair->publicKey);
  return *std::move(pair);
}

std::string fingerprint(std::string_view publicKey) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  EVP_Digest(publicKey.data(), publicKey.size(), digest.data(), &length, EVP_sha256(), nullptr);
  std::string text = "SHA256:";
  for (std::size_t i = 0; i < 16; ++i) {
    if (i > 0 && i % 2 == 0) text += ' ';
    text += fmt::format("{:02x}", digest[i]);
  }
  return text;
}

}  // namespace ingot::wire
