// Fingerprints that tell clients whether a document has changed.
#pragma once

#include <string>
#include <string_view>

namespace ingot::apiserver {

// Upper-case hexadecimal SHA-512.
[[nodiscard]] std::string sha512Hex(std::string_view text);

}  // namespace ingot::apiserver
