#include "json/config.hpp"

#include "base/file.hpp"

namespace ingot::json {

ConfigSource::ConfigSource(std::string_view text, std::string name) : name_(std::move(name)) {
  try {
    auto all = parseYaml(text);
    if (all.size() > 1) throw YamlError("expected one document", all[1].line);
    if (!all.empty()) document_ = std::move(all.front());
  } catch (const YamlError& e) {
    const std::string what = e.what();
    const auto prefix = fmt::format("line {}: ", e.line());
    throw base::InvalidInput(fmt::format("{}:{}", name_, e.line()),
                             what.starts_with(prefix) ? what.substr(prefix.size()) : what);
  }
  if (document_.value.is_null()) document_.value.emplace_object();
  if (!document_.value.is_object())
    throw base::InvalidInput(fmt::format("{}:{}", name_, document_.line),
                             "expected a map, got " + std::string(kindName(document_.value)));
}

void ConfigSource::apply(const Override& change) {
  const std::string given = "--set " + change.key;
  Value* at = &document_.value;
  for (std::string_view rest = change.key; !rest.empty();) {
    const auto dot = rest.find('.');
    if (at->is_null()) at->emplace_object();
    if (!at->is_object()) throw base::InvalidInput(given, "not a map");
    at = &at->get_object()[rest.substr(0, dot)];
    rest.remove_prefix(dot == std::string_view::npos ? rest.size() : dot + 1);
  }
  try {
    *at = parseYamlValue(change.value);
  } catch (const YamlError& e) {
    throw base::InvalidInput(given, e.what());
  }
  overridden_[change.key] = given;
}

// The nearest enclosing member that is known answers for what is below it.
std::string ConfigSource::where(std::string_view path) const {
  for (std::string at(path); !at.empty();) {
    if (const auto given = overridden_.find(at); given != overridden_.end()) return given->second;
    if (const auto line = document_.lines.find(at); line != document_.lines.end())
      return fmt::format("{}:{}", name_, line->second);
    const auto cut = at.find_last_of(".[");
    at.resize(cut == std::string::npos ? 0 : cut);
  }
  return fmt::format("{}:{}", name_, document_.line);
}

void ConfigSource::refuseUnknown(const std::vector<std::string>& unknown) const {
  if (!unknown.empty())
    throw base::InvalidInput(where(unknown.front()), fmt::format("unknown key \"{}\"", unknown.front()));
}

namespace {

std::string argumentFor(const ConfigSource& source, const std::string& key, const Value& value) {
  if (value.is_bool()) return value.get_bool() ? "--" + key : "";
  if (value.is_string()) return fmt::format("--{}={}", key, std::string_view(value.get_string()));
  if (value.is_number()) return fmt::format("--{}={}", key, json::serialize(value));
  throw base::InvalidInput(source.where(key), fmt::format("{}: expected one value, got {}", key, kindName(value)));
}

// `--option=` says that the value is empty; CLI11 would take the next argument for it.
std::vector<std::string> withEmptyValues(std::vector<std::string> arguments) {
  std::vector<std::string> out;
  for (auto& argument : arguments) {
    const bool isEmpty = argument.starts_with("--") && argument.find('=') == argument.size() - 1;
    if (isEmpty) argument.pop_back();
    out.push_back(std::move(argument));
    if (isEmpty) out.emplace_back();
  }
  return out;
}

std::vector<std::string> argumentsOf(const std::string& file, const std::function<bool(const std::string&)>& known) {
  const ConfigSource source(base::readFile(file), file);
  std::vector<std::string> out;
  for (const auto& member : source.value().get_object()) {
    const std::string key(member.key());
    if (!known("--" + key)) source.refuseUnknown({key});
    if (auto argument = argumentFor(source, key, member.value()); !argument.empty()) out.push_back(std::move(argument));
  }
  return out;
}

}  // namespace

std::vector<std::string> withConfigFile(const std::vector<std::string>& arguments,
                                        const std::function<bool(const std::string& option)>& known) {
  constexpr std::string_view flag = "--config";
  std::vector<std::string> given, rest;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    std::string file;
    if (argument.starts_with(flag) && argument.size() > flag.size() && argument[flag.size()] == '=') {
      file = argument.substr(flag.size() + 1);
    } else if (argument == flag && i + 1 < arguments.size()) {
      file = arguments[++i];
    } else {
      rest.push_back(argument);
      continue;
    }
    auto more = argumentsOf(file, known);
    given.insert(given.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }
  given.insert(given.end(), std::make_move_iterator(rest.begin()), std::make_move_iterator(rest.end()));
  return withEmptyValues(std::move(given));
}

}  // namespace ingot::json
