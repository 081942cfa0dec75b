// The value of the annotations reboot.metal3.io and reboot.metal3.io/<key>.
#pragma once

#include "json/describe.hpp"

namespace ingot::api {

struct RebootRequest {
  std::string mode;  // hard | soft | "" (soft first)
  bool force = false;

  static void describe(auto& v) {
    v.field("mode", &RebootRequest::mode);
    v.field("force", &RebootRequest::force);
  }
  friend bool operator==(const RebootRequest&, const RebootRequest&) = default;
};

}  // namespace ingot::api
