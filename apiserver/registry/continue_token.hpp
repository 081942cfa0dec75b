// Where the next page of a list starts: pins the revision of the first page.
#pragma once

#include "apiserver/store/object.hpp"

#include <string>
#include <string_view>

namespace ingot::apiserver {

struct ContinueToken {
  Revision revision = 0;  // -1: whatever is current (what an expired list may go on with)
  ObjectKey after;        // the last object that was handed out

  // base64url without padding of {"v":"meta.k8s.io/v1","rv":…,"start":"…"}.
  [[nodiscard]] std::string encode() const;
  // Throws ApiError 400.
  [[nodiscard]] static ContinueToken decode(std::string_view text);
};

}  // namespace ingot::apiserver
