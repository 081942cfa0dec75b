// What cloud-init unpacks.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ingot::sim::firstboot {

// nullopt: not gzip, cut off, or more than `largest` bytes.
[[nodiscard]] std::optional<std::string> gunzip(std::string_view packed, std::size_t largest = 64u << 20);

}  // namespace ingot::sim::firstboot
