#include "apiserver/discovery/digest.hpp"

#include "base/error.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

namespace ingot::apiserver {

std::string sha512Hex(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha512(), nullptr) != 1)
    throw base::Error("SHA-512 is not available");
  std::string out;
  for (unsigned i = 0; i < size; ++i) out += fmt::format("{:02X}", digest[i]);
  return out;
}

}  // namespace ingot::apiserver
