#include "coordinator/ipam/naming.hpp"

#include "base/ip_address.hpp"

#include <algorithm>

namespace ingot::coordinator::ipam {

std::string addressName(std::string_view namePrefix, std::string_view address) {
  std::string name;
  name.reserve(namePrefix.size() + 1 + address.size());
  name.append(namePrefix).append(1, '-');
  for (const char c : address) name += c == ':' || c == '.' ? '-' : c;
  name.erase(name.find_last_not_of('-') + 1);
  return name;
}

std::optional<std::string> addressIn(std::string_view namePrefix, std::string_view name) {
  if (!name.starts_with(namePrefix)) return std::nullopt;
  std::string dotted(name.substr(namePrefix.size()));
  if (!dotted.starts_with('-')) return std::nullopt;
  dotted.erase(0, 1);
  std::string colons = dotted;
  std::ranges::replace(dotted, '-', '.');
  std::ranges::replace(colons, '-', ':');
  for (const std::string& text : {dotted, colons, colons + "::"}) {
    const auto address = base::IpAddress::parse(text);
    if (address && addressName(namePrefix, address->text()) == name) return address->text();
  }
  return std::nullopt;
}

}  // namespace ingot::coordinator::ipam
