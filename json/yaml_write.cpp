// Value → YAML, written by hand: yaml-cpp's emitter quotes by the rules of YAML 1.2, and our readers follow 1.1.
#include "json/yaml.hpp"

namespace ingot::json {

namespace {

bool readsBackAsText(std::string_view text) {
  try {
    return resolveYamlScalar(text).is_string();
  } catch (const YamlError&) {
    return false;  // .nan and the like
  }
}

// Bytes of the character that `text` begins with when only an escape keeps it: readers take these for line breaks
// (YAML 1.1), for a mark of the encoding, or refuse them. 0 for every other.
std::size_t mustBeEscaped(std::string_view text) {
  const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  if (at(0) < 0x20 || at(0) == 0x7f) return 1;
  if (at(0) == 0xc2 && at(1) < 0xa0) return 2;
  for (const std::string_view special :
       {"\xe2\x80\xa8", "\xe2\x80\xa9", "\xef\xbb\xbf", "\xef\xbf\xbe", "\xef\xbf\xbf"})
    if (text.starts_with(special)) return special.size();
  return 0;
}

bool needsEscapes(std::string_view text, std::string_view butFor) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (mustBeEscaped(text.substr(i)) != 0 && butFor.find(text[i]) == std::string_view::npos) return true;
  return false;
}

// A JSON text is a double-quoted YAML one, once what JSON leaves as it is has been escaped.
std::string quoted(std::string_view text) {
  const std::string json = json::serialize(Value(text));
  std::string out;
  for (std::size_t i = 0; i < json.size();) {
    const std::string_view rest = std::string_view(json).substr(i);
    const std::size_t length = mustBeEscaped(rest);
    if (length == 0) {
      out += json[i++];
      continue;
    }
    unsigned code = static_cast<unsigned char>(rest[0]) & (length == 1 ? 0x7fU : length == 2 ? 0x1fU : 0x0fU);
    for (std::size_t k = 1; k < length; ++k) code = code << 6 | (static_cast<unsigned char>(rest[k]) & 0x3fU);
    out += fmt::format("\\u{:04x}", code);
    i += length;
  }
  return out;
}

bool isPlain(std::string_view text) {
  constexpr std::string_view kIndicators = "-?:,[]{}#&*!|>'\"%@`=<";
  if (text.empty() || !readsBackAsText(text)) return false;
  if (kIndicators.find(text.front()) != std::string_view::npos || text.front() == ' ' || text.back() == ' ')
    return false;
  if (text.find(": ") != std::string_view::npos || text.find(" #") != std::string_view::npos || text.back() == ':')
    return false;
  return !text.starts_with("...") && !needsEscapes(text, "") &&
         !(text.size() >= 10 && text[0] >= '0' && text[0] <= '9' &&
           text[4] == '-');  // dates, which some readers take for times
}

bool isBlock(std::string_view text) {
  return text.find('\n') != std::string_view::npos && text.front() != ' ' && text.front() != '\n' &&
         !needsEscapes(text, "\n");
}

void indent(std::string& out, int depth) { out.append(static_cast<std::size_t>(depth) * 2, ' '); }

void writeBlock(std::string& out, std::string_view text, int depth) {
  const bool endsWithNewline = text.ends_with('\n');
  const bool endsWithMore = text.ends_with("\n\n");
  out += endsWithMore ? "|+" : endsWithNewline ? "|" : "|-";
  if (endsWithNewline) text.remove_suffix(1);
  for (bool more = true; more;) {
    const auto end = text.find('\n');
    out += '\n';
    if (const auto line = text.substr(0, end); !line.empty()) {
      indent(out, depth);
      out += line;
    }
    more = end != std::string_view::npos;
    if (more) text.remove_prefix(end + 1);
  }
}

void writeText(std::string& out, std::string_view text, int depth) {
  if (isPlain(text)) {
    out += text;
  } else if (!text.empty() && isBlock(text)) {
    writeBlock(out, text, depth);
  } else {
    out += quoted(text);
  }
}

void writeKey(std::string& out, std::string_view key) {
  out += isPlain(key) ? std::string(key) : quoted(key);
  out += ':';
}

bool isLeaf(const Value& v) {
  return !(v.is_object() && !v.get_object().empty()) && !(v.is_array() && !v.get_array().empty());
}

void writeLeaf(std::string& out, const Value& v, int depth) {
  if (v.is_string()) return writeText(out, v.get_string(), depth);
  out += json::serialize(v);  // {} and [] too
}

void write(std::string& out, const Value& v, int depth, bool atLineStart);

void writeMembers(std::string& out, const Object& object, int depth, bool atLineStart) {
  std::vector<const boost::json::key_value_pair*> members;
  for (const auto& member : object) members.push_back(&member);
  std::ranges::sort(members, {}, [](const auto* m) { return std::string_view(m->key()); });
  for (const auto* member : members) {
    if (atLineStart) indent(out, depth);
    atLineStart = true;
    writeKey(out, member->key());
    const Value& v = member->value();
    if (isLeaf(v)) {
      out += ' ';
      writeLeaf(out, v, depth + 1);
      out += '\n';
    } else {
      out += '\n';
      write(out, v, v.is_array() ? depth : depth + 1, true);
    }
  }
}

void writeItems(std::string& out, const Array& items, int depth, bool atLineStart) {
  for (const Value& item : items) {
    if (atLineStart) indent(out, depth);
    atLineStart = true;
    out += "- ";
    if (isLeaf(item)) {
      writeLeaf(out, item, depth + 1);
      out += '\n';
    } else {
      write(out, item, depth + 1, false);
    }
  }
}

void write(std::string& out, const Value& v, int depth, bool atLineStart) {
  if (isLeaf(v)) {
    writeLeaf(out, v, depth + 1);
    out += '\n';
  } else if (v.is_object()) {
    writeMembers(out, v.get_object(), depth, atLineStart);
  } else {
    writeItems(out, v.get_array(), depth, atLineStart);
  }
}

}  // namespace

std::string toYaml(const Value& v) {
  std::string out;
  write(out, v, 0, true);
  return out;
}

}  // namespace ingot::json
