#include "json/config.hpp"

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

}  // namespace ingot::json
