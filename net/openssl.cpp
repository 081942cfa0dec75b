#include "net/openssl.hpp"

#include <openssl/err.h>
#include <openssl/pem.h>

namespace ingot::net::openssl {
namespace {

Bio reading(std::string_view text) { return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size()))); }

// To try a passphrase, if only an empty one, takes as long as whoever made the key wanted.
int noPassphrase(char*, int, int, void*) { return -1; }

}  // namespace

std::string takeError() {
  const auto code = ERR_get_error();
  ERR_clear_error();
  if (code == 0) return "no reason given";
  const char* reason = ERR_reason_error_string(code);
  return reason ? reason : "error " + std::to_string(code);
}

std::vector<Certificate> readCertificates(std::string_view pem) {
  std::vector<Certificate> found;
  const auto in = reading(pem);
  while (auto* certificate = PEM_read_bio_X509(in.get(), nullptr, noPassphrase, nullptr)) {
    found.emplace_back(certificate);
  }
  ERR_clear_error();
  return found;
}

Key readPrivateKey(std::string_view pem) {
  const auto in = reading(pem);
  Key key(PEM_read_bio_PrivateKey(in.get(), nullptr, noPassphrase, nullptr));
  ERR_clear_error();
  return key;
}

}  // namespace ingot::net::openssl
