// The transient document every layer passes around, and the few helpers that everyone needs.
#pragma once

#include "base/error.hpp"

#include <boost/json.hpp>

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::json {

using Value = boost::json::value;
using Object = boost::json::object;
using Array = boost::json::array;

// The text is not JSON (or over a limit). `line` and `column` count from 1; `offset` is in bytes.
class ParseError final : public base::Error {
 public:
  ParseError(const std::string& problem, std::size_t line, std::size_t column, std::size_t offset);
  [[nodiscard]] std::size_t line() const { return line_; }
  [[nodiscard]] std::size_t column() const { return column_; }
  [[nodiscard]] std::size_t offset() const { return offset_; }
  [[nodiscard]] bool endedEarly() const { return endedEarly_; }  // right so far, but the text stops in the middle

 private:
  friend class DocumentParser;
  std::size_t line_, column_, offset_;
  bool endedEarly_ = false;
};

struct ParseLimits {
  std::size_t bytes = 16u << 20;
  std::size_t depth = 128;
};

// Exactly one JSON document, surrounded by white space at most. Of repeated keys the last one wins, as in Go.
[[nodiscard]] Value parse(std::string_view text, ParseLimits limits = {});

// The document at the beginning of `text`; what follows it is not looked at.
[[nodiscard]] Value parseFirst(std::string_view text, ParseLimits limits = {});

// Compact text; numbers as Go writes them (3400, not 3.4E3); members in the order of the document.
[[nodiscard]] std::string serialize(const Value& v);
// The same with members sorted by name at every level: equal documents give equal bytes.
[[nodiscard]] std::string serializeSorted(const Value& v);
// For people: sorted members, two spaces.
[[nodiscard]] std::string serializePretty(const Value& v);

// Equal as JSON: the order of members does not matter, 1 equals 1.0.
[[nodiscard]] bool equal(const Value& a, const Value& b);

// The value below `v` at these member names, or nullptr when a step is missing or not an object.
[[nodiscard]] const Value* find(const Value& v, std::initializer_list<std::string_view> path);
// Dotted, with array indexes: "spec.nics[0].mac". For names without dots only.
[[nodiscard]] const Value* findPath(const Value& v, std::string_view path);

// Typed reading; nullopt when missing or of another type.
[[nodiscard]] std::optional<std::string_view> stringAt(const Value& v, std::initializer_list<std::string_view> path);
[[nodiscard]] std::optional<std::int64_t> intAt(const Value& v, std::initializer_list<std::string_view> path);
[[nodiscard]] std::optional<bool> boolAt(const Value& v, std::initializer_list<std::string_view> path);
// "" when missing or of another type.
[[nodiscard]] std::string textAt(const Value& v, std::initializer_list<std::string_view> path);
// nullptr when missing or of another type.
[[nodiscard]] const Object* objectAt(const Value& v, std::initializer_list<std::string_view> path);
[[nodiscard]] const Array* arrayAt(const Value& v, std::initializer_list<std::string_view> path);

// The object at `path`, created (also over null) where missing. Throws base::InvalidInput when a step is something
// else.
Object& makeObjectAt(Value& v, std::initializer_list<std::string_view> path);

// "object", "array", "string", "number", "bool", "null": for messages.
[[nodiscard]] std::string_view kindName(const Value& v);

}  // namespace ingot::json
