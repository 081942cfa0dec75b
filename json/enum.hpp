// Enums with a name table, found by argument-dependent lookup:
//
//   enum class BootMode { uefi, legacy };
//   constexpr auto namesOf(BootMode) {
//     return std::to_array<json::EnumName<BootMode>>({{BootMode::uefi, "UEFI"}, {BootMode::legacy, "legacy"}});
//   }
//
// A member of type BootMode is closed: decoding another text fails. A member of type json::Enum<BootMode> keeps any
// text.
#pragma once

#include <array>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace ingot::json {

template <class E>
struct EnumName {
  E value;
  std::string_view name;
};

template <class E>
concept NamedEnum = std::is_enum_v<E> && requires(E e) { namesOf(e); };

template <NamedEnum E>
[[nodiscard]] constexpr std::string_view textOf(E e) {
  for (const auto& n : namesOf(E{}))
    if (n.value == e) return n.name;
  return "";
}

template <NamedEnum E>
[[nodiscard]] constexpr std::optional<E> enumFromText(std::string_view text) {
  for (const auto& n : namesOf(E{}))
    if (n.name == text) return n.value;
  return std::nullopt;
}

// An open enum: the text as the API holds it, with the names that we know. Compares with E and with text.
// "" stands for absent.
template <NamedEnum E>
class Enum {
 public:
  Enum() = default;
  Enum(E e) : text_(textOf(e)) {}  // implicit: a word of E is one
  explicit Enum(std::string text) : text_(std::move(text)) {}

  [[nodiscard]] const std::string& text() const { return text_; }
  // nullopt: "" or a text we do not know
  [[nodiscard]] std::optional<E> known() const { return enumFromText<E>(text_); }
  [[nodiscard]] E valueOr(E other) const { return known().value_or(other); }
  [[nodiscard]] bool empty() const { return text_.empty(); }

  friend bool operator==(const Enum&, const Enum&) = default;
  friend bool operator==(const Enum& a, E b) { return a.text_ == textOf(b); }

 private:
  std::string text_;
};

}  // namespace ingot::json
