// The fixed answers: version, health, the list of paths.
#pragma once

#include "apiserver/http/query.hpp"

#include <string>
#include <string_view>

namespace ingot::apiserver {

[[nodiscard]] std::string versionDocument();
// "ok", or a line a check with ?verbose or when `storageWorks` no more.
[[nodiscard]] std::string healthText(std::string_view check, const Query& query, bool storageWorks);

}  // namespace ingot::apiserver
