#include "bmc/ipmi/entity.hpp"

#include <algorithm>
#include <charconv>

namespace ingot::bmc::ipmi {

namespace {

struct Entity {
  int id;
  std::string_view kind;
};

constexpr Entity entities[] = {
    {3, "processor"},     {4, "drive"},                       // disk or disk bay
    {8, "memory"},        {9, "processor"},                   // a module of several
    {10, "power-supply"}, {19, "power-unit"}, {26, "drive"},  // drive bay
    {29, "fan"},          {30, "fan"},                        // cooling unit
    {32, "memory"},       {40, "battery"},    {65, "processor"},
};

// System, add-in, panels, power, drive backplane, expansion, other, processor, other chassis; baseboard.
constexpr int boards[] = {7, 11, 12, 13, 14, 15, 16, 17, 18, 22, 25, 66};

}  // namespace

std::optional<int> entityIn(std::string_view text) {
  int id = 0, instance = 0;
  const auto* const end = text.data() + text.size();
  const auto [dot, ec] = std::from_chars(text.data(), end, id);
  if (ec != std::errc() || dot == end || *dot != '.') return std::nullopt;
  const auto [rest, failed] = std::from_chars(dot + 1, end, instance);
  return failed == std::errc() && (rest == end || *rest == ' ') ? std::optional(id) : std::nullopt;
}

std::string_view partKindOf(int entity) {
  const auto* found = std::ranges::find(entities, entity, &Entity::id);
  return found != std::end(entities) ? found->kind : std::string_view();
}

bool isBoard(int entity) { return std::ranges::find(boards, entity) != std::end(boards); }

}  // namespace ingot::bmc::ipmi
