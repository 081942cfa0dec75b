#include "net/basic_credentials.hpp"

#include <openssl/evp.h>

namespace ingot::net {

std::string basicCredentials(const std::string& user, const base::Secret& password) {
  std::string plain = user + ":" + password.reveal();
  std::string encoded(4 * ((plain.size() + 2) / 3) + 1, '\0');
  const int size =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(encoded.data()),
                      reinterpret_cast<const unsigned char*>(plain.data()), static_cast<int>(plain.size()));
  encoded.resize(static_cast<std::size_t>(size));
  base::wipe(plain);
  return encoded;
}

}  // namespace ingot::net
