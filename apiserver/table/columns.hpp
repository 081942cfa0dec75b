// Which columns a kind has, and what stands in them.
#pragma once

#include "apiserver/schema/catalog.hpp"
#include "base/clock.hpp"
#include "json/value.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ingot::apiserver {

struct TableColumn {
  std::string name, type, format, description;
  int priority = 0;
  std::function<json::Value(const json::Value& object, base::WallTime now)> cell;
};
using TableColumns = std::vector<TableColumn>;

// Name, then the printer columns; none given: Name and Age.
[[nodiscard]] TableColumns customColumns(const std::vector<PrinterColumn>& printer);
// The exact columns of a built-in kind.
[[nodiscard]] TableColumns coreColumns(std::string_view kind);

}  // namespace ingot::apiserver
