#include "cli/check/breach_words.hpp"

#include "api/ipam/patterns.hpp"
#include "base/nearest.hpp"

#include <fmt/ranges.h>

namespace ingot::cli {
namespace {

using kube::Breach;
using kube::Schema;

std::string_view wanted(const Schema& schema) {
  if (schema.intOrString) return "a whole number or a text";
  switch (schema.type) {
    case Schema::Type::any: return "something else";
    case Schema::Type::object: return "an object: indented members below it";
    case Schema::Type::array: return "a list: one \"- \" before each item";
    case Schema::Type::string: return "a text; put it in quotes";
    case Schema::Type::integer: return "a whole number, without quotes";
    case Schema::Type::number: return "a number, without quotes";
    case Schema::Type::boolean: return "true or false, without quotes";
  }
  return "";
}

// Some patterns are a page long: their meaning says more.
std::string meaning(const std::string& pattern) {
  if (pattern == api::ipam::kAddressPattern) return "must be an IPv4 or IPv6 address, like 192.0.2.1";
  if (pattern == api::ipam::kSubnetPattern) return "must be a subnet, like 192.0.2.0/24";
  if (pattern.find("[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}") != std::string::npos)
    return "must be a MAC address, like \"52:54:00:12:34:56\"";
  return "must match " + pattern;
}

std::string formatMeaning(std::string_view format) {
  if (format == "date-time") return "must be a time, like 2025-01-31T12:00:00Z";
  if (format == "uri") return "must be a URL";
  return fmt::format("must be of format {}", format);
}

std::string choices(const Schema& schema, const json::Value& value) {
  std::vector<std::string> words;
  words.reserve(schema.allowed.size());
  for (const json::Value& one : schema.allowed)
    words.push_back(one.is_string() ? std::string(one.get_string()) : json::serialize(one));
  const std::string near = value.is_string() ? base::nearest(value.get_string(), words) : "";
  return fmt::format("must be {}{}{}", words.size() == 1 ? "" : "one of ", fmt::join(words, ", "),
                     near.empty() ? "" : "; did you mean " + near + "?");
}

std::string atLeast(std::int64_t least, std::string_view of, std::size_t has) {
  return fmt::format("must have at least {} {}, has {}", least, of, has);
}

std::string atMost(std::int64_t most, std::string_view of, std::size_t has) {
  return fmt::format("must have at most {} {}, has {}", most, of, has);
}

std::string ofValue(const Breach& b) {
  const Schema& s = *b.schema;
  switch (b.what) {
    case Breach::What::wrongType: return fmt::format("must be {}", wanted(s));
    case Breach::What::wrongFormat: return formatMeaning(s.format);
    case Breach::What::outOfFormat: return "does not fit into " + s.format;
    case Breach::What::tooShort:
      return *s.minLength == 1 ? "must not be empty" : fmt::format("must have at least {} characters", *s.minLength);
    case Breach::What::tooLong: return fmt::format("must have at most {} characters", *s.maxLength);
    case Breach::What::noMatch: return meaning(s.pattern->text());
    case Breach::What::tooSmall:
      return fmt::format("must be {} {}", s.exclusiveMinimum ? "more than" : "at least", *s.minimum);
    case Breach::What::tooLarge:
      return fmt::format("must be {} {}", s.exclusiveMaximum ? "less than" : "at most", *s.maximum);
    case Breach::What::notAllowed: return choices(s, *b.value);
    case Breach::What::tooFewItems:
    case Breach::What::tooManyItems:
    case Breach::What::tooFewMembers:
    case Breach::What::tooManyMembers:
    case Breach::What::missing:
    case Breach::What::repeated:
    case Breach::What::noKeys:
    case Breach::What::rule: break;
  }
  return "";
}

}  // namespace

std::string inWords(const Breach& b) {
  const Schema& s = *b.schema;
  switch (b.what) {
    case Breach::What::tooFewItems: return atLeast(*s.minItems, "items", b.value->get_array().size());
    case Breach::What::tooManyItems: return atMost(*s.maxItems, "items", b.value->get_array().size());
    case Breach::What::tooFewMembers: return atLeast(*s.minProperties, "members", b.value->get_object().size());
    case Breach::What::tooManyMembers: return atMost(*s.maxProperties, "members", b.value->get_object().size());
    case Breach::What::missing: return "is missing";
    case Breach::What::repeated:
      return json::serializeSorted(b.key) + ": an item before it is the same; leave one of them out";
    case Breach::What::noKeys: return shownValue(*b.value) + ": must be an object: indented members below it";
    case Breach::What::rule: return shownValue(*b.value) + ": " + b.broken->message;
    case Breach::What::wrongType:
    case Breach::What::wrongFormat:
    case Breach::What::outOfFormat:
    case Breach::What::tooShort:
    case Breach::What::tooLong:
    case Breach::What::noMatch:
    case Breach::What::tooSmall:
    case Breach::What::tooLarge:
    case Breach::What::notAllowed: break;
  }
  return shownValue(*b.value) + ": " + ofValue(b);
}

std::string shownValue(const json::Value& value) {
  constexpr std::size_t kLongest = 120;
  std::string text = json::serialize(value);
  if (text.size() <= kLongest) return text;
  std::size_t cut = kLongest;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U) --cut;  // not inside a character
  return text.substr(0, cut) + "…";
}

}  // namespace ingot::cli
