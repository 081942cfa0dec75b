// A template that cannot be rendered for this machine.
#pragma once

#include "base/error.hpp"
#include "cloudinit/field.hpp"

namespace ingot::cloudinit {

// what() names field and value: `metaData.fromHostInterfaces[0].interface "eth7": NIC name not found eth7`.
class RenderError final : public base::Error {
 public:
  RenderError(const Field& field, std::string_view value, const std::string& reason);

  [[nodiscard]] const std::string& field() const { return field_; }
  // In Metal3's words wherever it has some: conditions and Events carry them, and people search for them.
  [[nodiscard]] const std::string& reason() const { return reason_; }

 private:
  std::string field_, reason_;
};

}  // namespace ingot::cloudinit
