#include "net/http.hpp"

#include "base/text.hpp"
#include "net/server.hpp"

#include <algorithm>

namespace ingot::net {
bool sameHeaderName(std::string_view a, std::string_view b) { return base::equalButForCase(a, b); }

void Headers::set(std::string_view name, std::string value) {
  remove(name);
  items_.emplace_back(std::string(name), std::move(value));
}

void Headers::add(std::string name, std::string value) { items_.emplace_back(std::move(name), std::move(value)); }

void Headers::remove(std::string_view name) {
  std::erase_if(items_, [&](const auto& item) { return sameHeaderName(item.first, name); });
}

std::optional<std::string> Headers::find(std::string_view name) const {
  for (const auto& [key, value] : items_) {
    if (sameHeaderName(key, name)) return value;
  }
  return std::nullopt;
}

std::string Headers::get(std::string_view name) const { return find(name).value_or(""); }

std::string_view ServerRequest::path() const { return std::string_view(target).substr(0, target.find('?')); }

std::string_view ServerRequest::query() const {
  const auto question = target.find('?');
  return question == std::string::npos ? std::string_view() : std::string_view(target).substr(question + 1);
}

}  // namespace ingot::net
