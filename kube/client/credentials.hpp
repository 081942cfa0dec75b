// Bearer tokens, which rotate under a running process.
#pragma once

#include "base/clock.hpp"
#include "base/secret.hpp"

#include <optional>
#include <string>

namespace ingot::kube {

// A token from a file is read again after a minute, and at once when the server refused it.
class BearerToken {
 public:
  BearerToken() = default;  // none
  explicit BearerToken(base::Secret fixed) : token_(std::move(fixed)) {}
  explicit BearerToken(std::string file) : file_(std::move(file)) {}

  // Empty when there is none. A file that cannot be read leaves the last token in force.
  [[nodiscard]] const base::Secret& current(base::MonoTime now);
  // The server said 401. True when a fresh one is worth a try.
  [[nodiscard]] bool refused();

 private:
  void read(base::MonoTime now);

  std::string file_;
  base::Secret token_;
  std::optional<base::MonoTime> readAt_;
};

}  // namespace ingot::kube
