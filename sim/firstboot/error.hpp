// What a machine was given cannot be used as it stands.
#pragma once

#include "base/error.hpp"

namespace ingot::sim::firstboot {

class BootError final : public base::Error {
 public:
  using Error::Error;
};

}  // namespace ingot::sim::firstboot
