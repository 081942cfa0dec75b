// Names of address objects (spec/ipam.md §12.1).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ingot::coordinator::ipam {

// "prov", "192.168.0.10" → "prov-192-168-0-10"; no dash at the end.
[[nodiscard]] std::string addressName(std::string_view namePrefix, std::string_view address);
// The other way: canonical text of the address whose object is called so; nullopt: no address gives that name.
[[nodiscard]] std::optional<std::string> addressIn(std::string_view namePrefix, std::string_view name);

}  // namespace ingot::coordinator::ipam
