// What cloud-init unpacks.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ingot::sim::firstboot {

// nullopt: not gzip, cut off, or more than 64 MiB.
[[nodiscard]] std::optional<std::string> gunzip(std::string_view packed);

}  // namespace ingot::sim::firstboot
