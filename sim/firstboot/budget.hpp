// How much text may become of little: a few hundred bytes of user data could otherwise ask for a terabyte.
#pragma once

#include "sim/firstboot/error.hpp"

#include <cstddef>
#include <string>

namespace ingot::sim::firstboot {

class Budget {
 public:
  // `what` begins the complaint: "the template makes".
  Budget(std::string what, std::size_t mebibytes) : what_(std::move(what)), most_(mebibytes), left_(mebibytes << 20) {}

  // Throws BootError when they are more than what is left.
  void spend(std::size_t bytes) {
    if (bytes > left_) throw BootError(fmt::format("{} more than {} MiB of text", what_, most_));
    left_ -= bytes;
  }
  [[nodiscard]] std::size_t left() const { return left_; }

 private:
  std::string what_;
  std::size_t most_, left_;
};

}  // namespace ingot::sim::firstboot
