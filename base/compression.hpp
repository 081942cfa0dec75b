// A long text packed by itself (zstd): for many alike pieces that are read together.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ingot::base {

[[nodiscard]] std::string compressed(std::string_view text);
// `size`: of the text. Throws base::Error for anything but what compressed() gave.
[[nodiscard]] std::string decompressed(std::string_view packed, std::size_t size);

}  // namespace ingot::base
