#include "cli/check/scalars.hpp"

#include "api/ipam/patterns.hpp"
#include "api/request_uri.hpp"
#include "base/clock.hpp"
#include "cli/command/nearest.hpp"

#include <fmt/ranges.h>
#include <re2/re2.h>

#include <cmath>
#include <limits>

namespace ingot::cli {
namespace {

std::string textOf(const json::Object& schema, std::string_view keyword) {
  const json::Value* v = schema.if_contains(keyword);
  return v && v->is_string() ? std::string(v->get_string()) : "";
}

std::optional<double> numberOf(const json::Object& schema, std::string_view keyword) {
  const json::Value* v = schema.if_contains(keyword);
  if (!v || !v->is_number()) return std::nullopt;
  return v->to_number<double>();
}

bool isTrue(const json::Object& schema, std::string_view keyword) {
  const json::Value* v = schema.if_contains(keyword);
  return v && v->is_bool() && v->get_bool();
}

bool isWhole(const json::Value& v) {
  if (!v.is_double()) return v.is_number();
  return std::isfinite(v.get_double()) && std::floor(v.get_double()) == v.get_double();
}

bool hasType(const std::string& type, const json::Value& v) {
  if (type == "object") return v.is_object();
  if (type == "array") return v.is_array();
  if (type == "string") return v.is_string();
  if (type == "boolean") return v.is_bool();
  if (type == "integer") return isWhole(v);
  return type != "number" || v.is_number();
}

std::string_view wanted(const std::string& type) {
  if (type == "object") return "an object: indented members below it";
  if (type == "array") return "a list: one \"- \" before each item";
  if (type == "string") return "a text; put it in quotes";
  if (type == "boolean") return "true or false, without quotes";
  return type == "integer" ? "a whole number, without quotes" : "a number, without quotes";
}

std::size_t characters(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::ranges::count_if(utf8, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

bool matches(std::string_view text, const std::string& pattern) {
  re2::RE2::Options quiet;
  quiet.set_log_errors(false);
  return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), re2::RE2(pattern, quiet));
}

// Some patterns are a page long: their meaning says more.
std::string meaning(const std::string& pattern) {
  if (pattern == api::ipam::kAddressPattern) return "must be an IPv4 or IPv6 address, like 192.0.2.1";
  if (pattern == api::ipam::kSubnetPattern) return "must be a subnet, like 192.0.2.0/24";
  if (pattern.find("[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}") != std::string::npos)
    return "must be a MAC address, like \"52:54:00:12:34:56\"";
  return "must match " + pattern;
}

std::string formatProblem(const std::string& format, std::string_view text) {
  if (format == "date-time" && !base::parseTime(text)) return "must be a time, like 2025-01-31T12:00:00Z";
  if (format == "uri" && !api::requestUriProblem(std::string(text)).empty()) return "must be a URL";
  return "";
}

void textProblems(const json::Object& schema, const json::Value& value, std::vector<std::string>& into) {
  const std::string_view text = value.get_string();
  const auto say = [&](const std::string& problem) { into.push_back(shownValue(value) + ": " + problem); };
  const auto length = static_cast<double>(characters(text));
  if (const auto least = numberOf(schema, "minLength"); least && length < *least)
    say(*least == 1 ? "must not be empty" : fmt::format("must have at least {} characters", *least));
  if (const auto most = numberOf(schema, "maxLength"); most && length > *most)
    say(fmt::format("must have at most {} characters, has {}", *most, length));
  if (const auto pattern = textOf(schema, "pattern"); !pattern.empty() && !matches(text, pattern))
    say(meaning(pattern));
  if (const auto problem = formatProblem(textOf(schema, "format"), text); !problem.empty()) say(problem);
}

bool fits(const std::string& format, const json::Value& value) {
  if (value.is_uint64()) return format != "int32" && format != "int64";  // larger than any of them
  if (format != "int32") return true;
  const double n = value.to_number<double>();
  return n >= std::numeric_limits<std::int32_t>::min() && n <= std::numeric_limits<std::int32_t>::max();
}

void numberProblems(const json::Object& schema, const json::Value& value, std::vector<std::string>& into) {
  const auto say = [&](const std::string& problem) { into.push_back(shownValue(value) + ": " + problem); };
  const double n = value.to_number<double>();
  if (const auto least = numberOf(schema, "minimum"); least && n < *least)
    say(fmt::format("must be at least {}", *least));
  if (const auto most = numberOf(schema, "maximum"); most && n > *most) say(fmt::format("must be at most {}", *most));
  if (const auto format = textOf(schema, "format"); !fits(format, value)) say("does not fit into " + format);
}

}  // namespace

std::string shownValue(const json::Value& value) {
  constexpr std::size_t kLongest = 120;
  std::string text = json::serialize(value);
  if (text.size() <= kLongest) return text;
  std::size_t cut = kLongest;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U) --cut;  // not inside a character
  return text.substr(0, cut) + "…";
}

std::string typeProblem(const json::Object& schema, const json::Value& value) {
  if (value.is_null() && isTrue(schema, "nullable")) return "";
  if (isTrue(schema, "x-kubernetes-int-or-string"))
    return value.is_string() || isWhole(value) ? "" : shownValue(value) + ": must be a whole number or a text";
  const std::string type = textOf(schema, "type");
  if (type.empty() || hasType(type, value)) return "";
  return fmt::format("{}: must be {}", shownValue(value), wanted(type));
}

std::string enumProblem(const json::Object& schema, const json::Value& value) {
  const json::Value* allowed = schema.if_contains("enum");
  if (!allowed) return "";
  std::vector<std::string> words;
  for (const json::Value& one : allowed->as_array()) {
    if (json::equal(one, value)) return "";
    words.push_back(one.is_string() ? std::string(one.get_string()) : json::serialize(one));
  }
  const std::string near = value.is_string() ? nearest(value.get_string(), words) : "";
  return fmt::format("{}: must be {}{}{}", shownValue(value), words.size() == 1 ? "" : "one of ",
                     fmt::join(words, ", "), near.empty() ? "" : "; did you mean " + near + "?");
}

void scalarProblems(const json::Object& schema, const json::Value& value, std::vector<std::string>& into) {
  if (value.is_string()) textProblems(schema, value, into);
  if (value.is_number()) numberProblems(schema, value, into);
}

}  // namespace ingot::cli
