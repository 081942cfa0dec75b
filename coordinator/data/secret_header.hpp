// A rendered Secret without what it holds: enough to know that it is there and whose it is.
#pragma once

#include "kube/core/kind.hpp"

namespace ingot::coordinator::data {

struct SecretHeader {
  kube::ObjectMeta metadata;

  static const kube::KindInfo info;  // that of Secret

  static void describe(auto& v) { v.field("metadata", &SecretHeader::metadata); }
  friend bool operator==(const SecretHeader&, const SecretHeader&) = default;
};

}  // namespace ingot::coordinator::data
