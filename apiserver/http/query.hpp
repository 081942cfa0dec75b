// The query string of one request.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot::apiserver {

class Query {
 public:
  explicit Query(std::string_view text);
  [[nodiscard]] bool has(std::string_view name) const;
  [[nodiscard]] std::string get(std::string_view name) const;  // the first; "" when absent
  // As Go parses them; throws ApiError 400 with its text.
  [[nodiscard]] bool flag(std::string_view name) const;  // absent: false
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view name) const;

 private:
  std::vector<std::pair<std::string, std::string>> items_;
};

}  // namespace ingot::apiserver
