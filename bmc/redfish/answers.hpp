// What answers of a Redfish service say beside their documents.
#pragma once

#include "json/value.hpp"
#include "net/http.hpp"

#include <string>
#include <string_view>

namespace ingot::bmc::redfish {

// Path and query of a Location: BMCs answer with absolute URLs of names that we may not know. "" for none.
[[nodiscard]] std::string pathOfLocation(const std::string& location);

// Throws base::Error, also where there is more in lists than any resource has: each member is decoded into a structure
// that is many times larger than "{}". A letter of another code, in an asset tag say, hides nothing of a document.
[[nodiscard]] json::Value documentIn(const net::HttpResponse& response);

// What is longer is no path of a resource: it is neither asked for nor kept.
inline constexpr std::size_t longestTarget = 2048;  // bytes
[[nodiscard]] constexpr bool isTarget(std::string_view path) { return path.size() <= longestTarget; }

// Of the session that a login opened; "" when it is not told, so that nobody can delete it later.
[[nodiscard]] std::string resourcePathOf(const net::HttpResponse& login);

[[nodiscard]] constexpr bool isRedirect(int status) {
  return status == 301 || status == 302 || status == 307 || status == 308;
}
[[nodiscard]] constexpr bool isAccessError(int status) { return status == 401 || status == 403; }

}  // namespace ingot::bmc::redfish
