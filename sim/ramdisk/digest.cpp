#include "sim/ramdisk/digest.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <openssl/evp.h>

namespace ingot::sim::ramdisk {

struct Digest::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { EVP_MD_CTX_free(context); }
};

Digest::Digest(const std::string& algorithm) : state_(std::make_unique<State>()) {
  const auto* method = EVP_get_digestbyname(algorithm.c_str());
  if (!method || EVP_DigestInit_ex(state_->context, method, nullptr) != 1)
    throw base::Error("unknown checksum algorithm '" + algorithm + "'");
}

Digest::~Digest() = default;
Digest::Digest(Digest&&) noexcept = default;

void Digest::add(std::string_view bytes) { EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()); }

std::string Digest::hex() {
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  EVP_DigestFinal_ex(state_->context, bytes, &length);
  return base::hex({reinterpret_cast<const char*>(bytes), length});
}

std::string algorithmOf(std::string_view hexDigest) {
  switch (hexDigest.size()) {
    case 32: return "md5";
    case 40: return "sha1";
    case 64: return "sha256";
    case 96: return "sha384";
    case 128: return "sha512";
    default: return "";
  }
}

}  // namespace ingot::sim::ramdisk
