#include "base/packed_text.hpp"

#include <algorithm>

namespace ingot::base {
namespace {

constexpr std::size_t smallest = 128;  // not worth the work

std::unique_ptr<char[]> copyOf(std::string_view bytes) {
  auto copy = std::make_unique_for_overwrite<char[]>(bytes.size());
  std::ranges::copy(bytes, copy.get());
  return copy;
}

}  // namespace

PackedText::PackedText(std::string_view text)
    : bytes_(copyOf(text)), held_(static_cast<std::uint32_t>(text.size())), size_(held_) {}

std::string PackedText::text() const { return packed() ? dictionary_->unpack(held(), size_) : std::string(held()); }

std::string_view PackedText::view(std::string& room) const {
  if (!packed()) return held();
  room = dictionary_->unpack(held(), size_);
  return room;
}

void PackedText::pack(const DictionaryPtr& dictionary) const {
  if (packed() || size_ < smallest) return;
  const std::string small = dictionary->pack(held());
  if (small.size() > size_ - size_ / 8) return;
  bytes_ = copyOf(small);
  held_ = static_cast<std::uint32_t>(small.size());
  dictionary_ = dictionary;
}

}  // namespace ingot::base
