#include "apiserver/protobuf/wire_reader.hpp"

#include <fmt/format.h>

namespace ingot::apiserver {

bool WireReader::next(Field& field) {
  if (rest_.empty()) return false;
  const std::uint64_t tag = varint();
  field = Field{.number = static_cast<std::uint32_t>(tag >> 3)};
  if (field.number == 0) throw ProtobufError("proto: illegal tag 0");
  switch (tag & 7) {
    case 0: field.integer = varint(); break;
    case 1: field.integer = fixed(8); break;
    case 2:
      field.bytes = take(varint());
      field.delimited = true;
      break;
    case 5: field.integer = fixed(4); break;
    default: throw ProtobufError(fmt::format("proto: illegal wireType {}", tag & 7));
  }
  return true;
}

std::uint64_t WireReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(take(1)[0]);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (!(byte & 0x80)) return value;
  }
  throw ProtobufError("proto: integer overflow");
}

std::uint64_t WireReader::fixed(std::size_t size) {
  const std::string_view bytes = take(size);
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i)
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return value;
}

std::string_view WireReader::take(std::uint64_t size) {
  if (size > rest_.size()) throw ProtobufError("unexpected EOF");
  const std::string_view taken = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return taken;
}

}  // namespace ingot::apiserver
