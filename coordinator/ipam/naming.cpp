#include "coordinator/ipam/naming.hpp"

namespace ingot::coordinator::ipam {

std::string addressName(std::string_view namePrefix, std::string_view address) {
  std::string name;
  name.reserve(namePrefix.size() + 1 + address.size());
  name.append(namePrefix).append(1, '-');
  for (const char c : address) name += c == ':' || c == '.' ? '-' : c;
  name.erase(name.find_last_not_of('-') + 1);
  return name;
}

}  // namespace ingot::coordinator::ipam
