// Bodies in protobuf, as kubectl sends those of core kinds.
#pragma once

#include "tests/contract/peer.hpp"

namespace ingot::contract {

// A length-delimited protobuf field.
inline std::string field(int number, const std::string& bytes) {
  std::string out(1, static_cast<char>(number << 3 | 2));
  for (std::size_t size = bytes.size(); true; size >>= 7) {
    out += static_cast<char>((size & 0x7F) | (size > 0x7F ? 0x80 : 0));
    if (size <= 0x7F) break;
  }
  return out + bytes;
}
inline std::string number(int id, char value) { return {static_cast<char>(id << 3), value}; }
inline std::string envelope(const std::string& apiVersion, const std::string& kind, const std::string& raw) {
  return std::string("k8s\0", 4) + field(1, field(1, apiVersion) + field(2, kind)) + field(2, raw);
}
inline std::string named(const std::string& name) { return field(1, field(1, name)); }

inline Reply postProtobuf(const std::string& path, const std::string& body) {
  return peer().send("POST", path, body,
                     {{"Content-Type", "application/vnd.kubernetes.protobuf"}, {"Accept", "application/json"}});
}

}  // namespace ingot::contract
