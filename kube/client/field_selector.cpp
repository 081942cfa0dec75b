#include "kube/client/field_selector.hpp"

namespace ingot::kube {

std::string fieldIs(std::string_view field, std::string_view value) {
  std::string out(field);
  out += '=';
  for (const char c : value) {
    if (c == '\\' || c == ',' || c == '=') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace ingot::kube
