#include "cloudinit/field.hpp"

#include <fmt/format.h>

namespace ingot::cloudinit {

std::string Field::path() const {
  std::string out = parent_ ? parent_->path() + "." : "";
  out += name_;
  if (index_) out += fmt::format("[{}]", *index_);
  return out;
}

}  // namespace ingot::cloudinit
