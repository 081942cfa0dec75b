#include "base/secret.hpp"

#include <openssl/crypto.h>

namespace ingot::base {

void wipe(std::string& text) {
  OPENSSL_cleanse(text.data(), text.capacity());
  text.clear();
}

Secret::~Secret() { wipe(value_); }

// A moved short string leaves its bytes behind in the old object: wiped there.
Secret::Secret(Secret&& other) noexcept : value_(std::move(other.value_)) { wipe(other.value_); }

Secret& Secret::operator=(const Secret& other) {
  if (this != &other) {
    wipe(value_);
    value_ = other.value_;
  }
  return *this;
}

Secret& Secret::operator=(Secret&& other) noexcept {
  if (this != &other) {
    wipe(value_);
    value_ = std::move(other.value_);
    wipe(other.value_);
  }
  return *this;
}

bool operator==(const Secret& a, const Secret& b) {
  return a.value_.size() == b.value_.size() && CRYPTO_memcmp(a.value_.data(), b.value_.data(), a.value_.size()) == 0;
}

}  // namespace ingot::base
