// What a sensor or a FRU belongs to: entity ids of IPMI 2.0, table 43-13. Pure.
#pragma once

#include <optional>
#include <string_view>

namespace ingot::bmc::ipmi {

// "10.2" (the second power supply), "10.2 (Power Supply)": 10. nullopt: of another form.
[[nodiscard]] std::optional<int> entityIn(std::string_view text);

// As in Component::kind; "" for entities that are no part which fails or is exchanged by itself.
[[nodiscard]] std::string_view partKindOf(int entity);

// The board of the machine or another one in it.
[[nodiscard]] bool isBoard(int entity);

}  // namespace ingot::bmc::ipmi
