// A text that may be kept packed: for the many that are alike, written once and read rarely.
#pragma once

#include "base/dictionary.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace ingot::base {

class PackedText {
 public:
  PackedText() = default;
  explicit PackedText(std::string_view text);

  [[nodiscard]] std::string text() const;
  // The text where it lies, or unpacked into `room`: good while both live, and until it is packed.
  [[nodiscard]] std::string_view view(std::string& room) const;
  [[nodiscard]] std::size_t size() const { return size_; }       // of the text
  [[nodiscard]] std::size_t bytesHeld() const { return held_; }  // in memory, the shared dictionary apart
  [[nodiscard]] bool packed() const { return dictionary_ != nullptr; }

  // Keeps it packed from now on, unless that would save next to nothing. The text stays the same, so readers do not
  // see a change; views of it end. On the thread of its readers.
  void pack(const DictionaryPtr& dictionary) const;

 private:
  [[nodiscard]] std::string_view held() const { return {bytes_.get(), held_}; }

  mutable std::unique_ptr<char[]> bytes_;
  mutable std::uint32_t held_ = 0;
  std::uint32_t size_ = 0;
  mutable DictionaryPtr dictionary_;  // null: as it is
};

}  // namespace ingot::base
