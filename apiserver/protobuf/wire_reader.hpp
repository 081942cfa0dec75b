// The protobuf wire format, read field by field.
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <string_view>

namespace ingot::apiserver {

class ProtobufError final : public base::Error {
 public:
  using Error::Error;
};

class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : rest_(bytes) {}

  struct Field {
    std::uint32_t number = 0;
    std::uint64_t integer = 0;  // varint and fixed-size fields
    std::string_view bytes;     // length-delimited fields
    bool delimited = false;
  };
  // False at the end. Throws ProtobufError for damaged bytes.
  [[nodiscard]] bool next(Field& field);

 private:
  std::uint64_t varint();
  std::uint64_t fixed(std::size_t size);
  std::string_view take(std::uint64_t size);
  std::string_view rest_;
};

}  // namespace ingot::apiserver
