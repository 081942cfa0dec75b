// Builds the JSON patch that brings a node's record to what is wanted (spec/ironic.md §5.2). Pure.
#pragma once

#include "ironic-client/node.hpp"

#include <string>
#include <string_view>

namespace ingot::ironic {

class NodePatch {
 public:
  explicit NodePatch(const Node& now);

  // Sections: "" (the record itself), "driver_info", "properties", "instance_info", "extra". Writes `add` unless the
  // key is there with an equal value (deep, type-strict); for null `remove`, if the key is there. Keys of the record
  // itself are always there.
  NodePatch& set(std::string_view section, std::string_view key, json::Value wanted);

  NodePatch& setText(std::string_view section, std::string_view key, std::string_view wanted) {
    return set(section, key, json::Value(wanted));
  }

  [[nodiscard]] bool empty() const { return operations_.empty(); }
  [[nodiscard]] const json::Array& operations() const { return operations_; }
  // The same for a log: values of keys that hold secrets are masked.
  [[nodiscard]] std::string describeForLog() const;

 private:
  json::Value now_;
  json::Array operations_;
};

}  // namespace ingot::ironic
