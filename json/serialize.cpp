#include "json/value.hpp"

#include <cmath>

namespace ingot::json {

namespace {

struct Style {
  bool sorted = false;
  bool pretty = false;
};

void writeEscaped(std::string& out, char c) {
  switch (c) {
    case '"': out += "\\\""; break;
    case '\\': out += "\\\\"; break;
    case '\n': out += "\\n"; break;
    case '\r': out += "\\r"; break;
    case '\t': out += "\\t"; break;
    case '\b': out += "\\b"; break;
    case '\f': out += "\\f"; break;
    default: fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
  }
}

void writeText(std::string& out, std::string_view text) {
  out += '"';
  std::size_t start = 0;  // of the stretch that needs no escape
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c != '"' && c != '\\' && static_cast<unsigned char>(c) >= 0x20) continue;
    out.append(text, start, i - start);
    writeEscaped(out, c);
    start = i + 1;
  }
  out.append(text, start);
  out += '"';
}

// The shortest digits that read back the same; plain below 1e21, as encoding/json writes floats.
void writeDouble(std::string& out, double d) {
  if (!std::isfinite(d)) {
    out += "null";
    return;
  }
  const double size = std::abs(d);
  const bool plain = size == 0 || (size >= 1e-6 && size < 1e21);
  char buffer[400];
  const auto end = std::to_chars(std::begin(buffer), std::end(buffer), d,
                                 plain ? std::chars_format::fixed : std::chars_format::scientific)
                       .ptr;
  std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
  const auto zero = text.find("e-0");  // 1e-09 → 1e-9
  if (zero == std::string_view::npos) {
    out += text;
  } else {
    out.append(text.substr(0, zero + 2)).append(text.substr(zero + 3));
  }
}

void newLine(std::string& out, Style style, int depth) {
  if (!style.pretty) return;
  out += '\n';
  out.append(static_cast<std::size_t>(depth) * 2, ' ');
}

void write(std::string& out, const Value& v, Style style, int depth);

void writeMember(std::string& out, const boost::json::key_value_pair& member, Style style, int depth) {
  newLine(out, style, depth);
  writeText(out, member.key());
  out += style.pretty ? ": " : ":";
  write(out, member.value(), style, depth);
}

void writeMembers(std::string& out, const Object& object, Style style, int depth) {
  bool first = true;
  for (const auto& member : object) {
    if (!std::exchange(first, false)) out += ',';
    writeMember(out, member, style, depth + 1);
  }
}

void writeMembersSorted(std::string& out, const Object& object, Style style, int depth) {
  std::vector<const boost::json::key_value_pair*> members;
  members.reserve(object.size());
  for (const auto& member : object) members.push_back(&member);
  std::ranges::sort(members, {}, [](const auto* m) { return std::string_view(m->key()); });
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (i > 0) out += ',';
    writeMember(out, *members[i], style, depth + 1);
  }
}

void writeObject(std::string& out, const Object& object, Style style, int depth) {
  out += '{';
  style.sorted ? writeMembersSorted(out, object, style, depth) : writeMembers(out, object, style, depth);
  if (!object.empty()) newLine(out, style, depth);
  out += '}';
}

void writeArray(std::string& out, const Array& items, Style style, int depth) {
  out += '[';
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += ',';
    newLine(out, style, depth + 1);
    write(out, items[i], style, depth + 1);
  }
  if (!items.empty()) newLine(out, style, depth);
  out += ']';
}

void write(std::string& out, const Value& v, Style style, int depth) {
  switch (v.kind()) {
    case boost::json::kind::null: out += "null"; return;
    case boost::json::kind::bool_: out += v.get_bool() ? "true" : "false"; return;
    case boost::json::kind::int64: fmt::format_to(std::back_inserter(out), "{}", v.get_int64()); return;
    case boost::json::kind::uint64: fmt::format_to(std::back_inserter(out), "{}", v.get_uint64()); return;
    case boost::json::kind::double_: writeDouble(out, v.get_double()); return;
    case boost::json::kind::string: writeText(out, v.get_string()); return;
    case boost::json::kind::array: writeArray(out, v.get_array(), style, depth); return;
    case boost::json::kind::object: writeObject(out, v.get_object(), style, depth); return;
  }
}

std::string written(const Value& v, Style style) {
  std::string out;
  write(out, v, style, 0);
  return out;
}

}  // namespace

std::string serialize(const Value& v) { return written(v, {}); }
std::string serializeSorted(const Value& v) { return written(v, {.sorted = true}); }
std::string serializePretty(const Value& v) { return written(v, {.sorted = true, .pretty = true}); }

}  // namespace ingot::json
