// A checksum that grows with the bytes it is fed.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace ingot::sim::ramdisk {

class Digest {
 public:
  // md5, sha1, sha256, sha384, sha512. Throws base::Error for another name.
  explicit Digest(const std::string& algorithm);
  ~Digest();
  Digest(Digest&&) noexcept;

  void add(std::string_view bytes);
  [[nodiscard]] std::string hex();  // ends it

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// By the length of a hex digest; "" when it fits none.
[[nodiscard]] std::string algorithmOf(std::string_view hexDigest);

}  // namespace ingot::sim::ramdisk
