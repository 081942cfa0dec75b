// Where in a template something stands, made into text only when there is something to say of it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace ingot::cloudinit {

// A step of a path. Points at the step before, which lives longer: both are locals of nested calls.
class Field {
 public:
  explicit Field(std::string_view name) : name_(name) {}

  [[nodiscard]] Field member(std::string_view name) const { return {*this, name, std::nullopt}; }
  [[nodiscard]] Field item(std::string_view list, std::size_t index) const { return {*this, list, index}; }

  // networkData.networks.ipv4[0].routes[1].gateway
  [[nodiscard]] std::string path() const;

 private:
  Field(const Field& parent, std::string_view name, std::optional<std::size_t> index)
      : parent_(&parent), name_(name), index_(index) {}

  const Field* parent_ = nullptr;
  std::string_view name_;
  std::optional<std::size_t> index_;
};

}  // namespace ingot::cloudinit
