#include "apiserver/http/query.hpp"

#include "apiserver/registry/errors.hpp"
#include "net/url.hpp"

namespace ingot::apiserver {

Query::Query(std::string_view text) : items_(net::parseQuery(text)) {}

bool Query::has(std::string_view name) const {
  return std::any_of(items_.begin(), items_.end(), [&](const auto& item) { return item.first == name; });
}

std::string Query::get(std::string_view name) const {
  for (const auto& [key, value] : items_)
    if (key == name) return value;
  return "";
}

bool Query::flag(std::string_view name) const {
  const std::string value = get(name);
  return !value.empty() && value != "0" && value != "false" && value != "False" && value != "FALSE" && value != "f" &&
         value != "F";
}

std::optional<std::int64_t> Query::number(std::string_view name) const {
  const std::string value = get(name);
  if (value.empty()) return std::nullopt;
  std::int64_t out = 0;
  const auto [end, bad] = std::from_chars(value.data(), value.data() + value.size(), out);
  if (bad != std::errc{} || end != value.data() + value.size())
    throw badRequest(fmt::format("strconv.ParseInt: parsing \"{}\": invalid syntax", value));
  return out;
}

}  // namespace ingot::apiserver
