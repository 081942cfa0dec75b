#include "apiserver/table/json_path.hpp"

namespace ingot::apiserver {

namespace {

std::string_view unquoted(std::string_view text) {
  const bool quoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

// The member name at the front of `rest`, taken off it; '\' lets a dot be part of it.
std::string takeName(std::string_view& rest) {
  std::string name;
  std::size_t i = 0;
  for (; i < rest.size() && rest[i] != '.' && rest[i] != '['; ++i) {
    if (rest[i] == '\\' && i + 1 < rest.size()) ++i;
    name += rest[i];
  }
  rest.remove_prefix(i);
  return name;
}

const json::Value* walk(const json::Value& in, const std::vector<std::string>& names) {
  const json::Value* at = &in;
  for (const auto& name : names) {
    at = json::find(*at, {name});
    if (!at) return nullptr;
  }
  return at;
}

bool saysText(const json::Value& v, std::string_view text) {
  return v.is_string() ? std::string_view(v.get_string()) == text : json::serialize(v) == text;
}

}  // namespace

std::optional<JsonPath> JsonPath::parse(std::string_view text) {
  if (text.starts_with('{') && text.ends_with('}')) text = text.substr(1, text.size() - 2);
  if (text.starts_with('$')) text.remove_prefix(1);
  JsonPath path;
  while (!text.empty()) {
    if (text.front() == '[') {
      const auto end = text.find(']');
      if (end == std::string_view::npos) return std::nullopt;
      auto step = bracket(text.substr(1, end - 1));
      if (!step) return std::nullopt;
      path.steps_.push_back(std::move(*step));
      text.remove_prefix(end + 1);
    } else {
      if (text.front() == '.') text.remove_prefix(1);
      std::string name = takeName(text);
      if (name.empty() && !text.starts_with('[')) return std::nullopt;
      if (!name.empty()) path.steps_.push_back({.kind = Step::Kind::member, .names = {std::move(name)}});
    }
  }
  return path;
}

std::optional<JsonPath::Step> JsonPath::bracket(std::string_view inside) {
  if (inside == "*") return Step{.kind = Step::Kind::all};
  if (inside.starts_with("?(") && inside.ends_with(")")) return filter(inside.substr(2, inside.size() - 3));
  if (unquoted(inside).size() != inside.size())
    return Step{.kind = Step::Kind::member, .names = {std::string(unquoted(inside))}};
  std::int64_t index = 0;
  const auto [end, bad] = std::from_chars(inside.data(), inside.data() + inside.size(), index);
  if (bad != std::errc{} || end != inside.data() + inside.size()) return std::nullopt;
  return Step{.kind = Step::Kind::index, .index = index};
}

std::optional<JsonPath::Step> JsonPath::filter(std::string_view condition) {
  const auto equals = condition.find("==");
  if (!condition.starts_with("@.") || equals == std::string_view::npos) return std::nullopt;
  const auto trim = [](std::string_view t) {
    while (t.starts_with(' ')) t.remove_prefix(1);
    while (t.ends_with(' ')) t.remove_suffix(1);
    return t;
  };
  Step step{.kind = Step::Kind::filter};
  std::string_view names = trim(condition.substr(2, equals - 2));
  while (!names.empty()) {
    step.names.push_back(takeName(names));
    if (names.starts_with('[')) return std::nullopt;
    if (!names.empty()) names.remove_prefix(1);
  }
  step.wanted = unquoted(trim(condition.substr(equals + 2)));
  return step;
}

const json::Value* JsonPath::find(const json::Value& in) const { return follow(steps_, 0, in); }

const json::Value* JsonPath::follow(const std::vector<Step>& steps, std::size_t at, const json::Value& in) {
  if (at == steps.size()) return &in;
  const Step& step = steps[at];
  if (step.kind == Step::Kind::member) {
    const json::Value* member = json::find(in, {step.names.front()});
    return member ? follow(steps, at + 1, *member) : nullptr;
  }
  const json::Array* items = in.if_array();
  if (!items) return nullptr;
  if (step.kind == Step::Kind::index) {
    const auto size = static_cast<std::int64_t>(items->size());
    const std::int64_t index = step.index < 0 ? step.index + size : step.index;
    return index >= 0 && index < size ? follow(steps, at + 1, (*items)[static_cast<std::size_t>(index)]) : nullptr;
  }
  for (const auto& item : *items) {
    if (step.kind == Step::Kind::filter) {
      const json::Value* value = walk(item, step.names);
      if (!value || !saysText(*value, step.wanted)) continue;
    }
    if (const json::Value* found = follow(steps, at + 1, item)) return found;
  }
  return nullptr;
}

}  // namespace ingot::apiserver
