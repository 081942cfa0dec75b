// The messages of spec/kubernetes-api.md §13, as data.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ingot::apiserver {

enum class FieldType { text, integer, boolean, bytes, time, microTime, message, textMap, bytesMap, rawJson };

struct MessageField {
  std::uint32_t number;
  std::string_view name;
  FieldType type;
  std::string_view message = {};  // of FieldType::message
  bool repeated = false;
  bool zeroCounts = false;  // a scalar that is written even when it is zero or empty
};

struct Message {
  std::string_view name;
  std::span<const MessageField> fields;
};

[[nodiscard]] const Message* findMessage(std::string_view name);
// The message of a kind's body: "v1","Secret" → Secret; "events.k8s.io/v1","Event" → EventV1. nullptr: not of the
// subset.
[[nodiscard]] const Message* messageOf(std::string_view apiVersion, std::string_view kind);

}  // namespace ingot::apiserver
