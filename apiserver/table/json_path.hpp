// The JSONPath of printer columns: members, indexes, and filters by equality of one member.
#pragma once

#include "json/value.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::apiserver {

class JsonPath {
 public:
  // nullopt: outside the subset (".a.b", ".a[0]", "['x.y']", ".a.b\.c", "[?(@.type==\"Ready\")]", "[*]").
  [[nodiscard]] static std::optional<JsonPath> parse(std::string_view text);
  // The first value it leads to; nullptr: none.
  [[nodiscard]] const json::Value* find(const json::Value& in) const;

 private:
  struct Step {
    enum class Kind { member, index, filter, all };
    Kind kind;
    std::vector<std::string> names;  // the member; of a filter, the path below @
    std::int64_t index = 0;
    std::string wanted;  // of a filter
  };
  static std::optional<Step> bracket(std::string_view inside);
  static std::optional<Step> filter(std::string_view condition);
  static const json::Value* follow(const std::vector<Step>& steps, std::size_t at, const json::Value& in);
  std::vector<Step> steps_;
};

}  // namespace ingot::apiserver
