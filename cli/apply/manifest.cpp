#include "cli/apply/manifest.hpp"

#include "cli/outcome.hpp"
#include "json/yaml.hpp"

namespace ingot::cli {
namespace {

[[noreturn]] void refuse(const std::string& place, const std::string& problem) {
  throw Failure(ExitCode::failed, place + ": " + problem);
}

// What identifies an object must be a text and not empty.
void demandText(const Manifest& m, std::initializer_list<std::string_view> path, std::string_view field,
                std::string_view example) {
  const json::Value* value = json::find(m.object, path);
  if (!value || value->is_null())
    refuse(m.place(field), fmt::format("{} is missing, e.g. {}: {}", field, *(path.end() - 1), example));
  if (!value->is_string())
    refuse(m.place(field), fmt::format("{} must be a string, not {}; put it in quotes", field, json::kindName(*value)));
  if (value->get_string().empty())
    refuse(m.place(field), fmt::format("{} is empty, e.g. {}: {}", field, *(path.end() - 1), example));
}

void demandObject(const Manifest& m, std::initializer_list<std::string_view> path, std::string_view field) {
  const json::Value* value = json::find(m.object, path);
  if (value && !value->is_object())
    refuse(m.place(field), fmt::format("{} must be an object, not {}", field, json::kindName(*value)));
}

void check(const Manifest& m) {
  if (!m.object.is_object())
    refuse(m.place(),
           fmt::format("a manifest is an object with apiVersion, kind and metadata, not {}", json::kindName(m.object)));
  demandText(m, {"apiVersion"}, "apiVersion", "metal3.io/v1alpha1");
  demandText(m, {"kind"}, "kind", "BareMetalHost");
  demandObject(m, {"metadata"}, "metadata");
  demandObject(m, {"metadata", "annotations"}, "metadata.annotations");
  demandText(m, {"metadata", "name"}, "metadata.name", "node01");
}

bool isList(const json::Value& object) {
  return json::textAt(object, {"kind"}).ends_with("List") && json::arrayAt(object, {"items"}) != nullptr;
}

// Lines of the fields below `prefix`, named as seen from there.
std::map<std::string, std::size_t> below(const std::map<std::string, std::size_t>& lines, const std::string& prefix) {
  std::map<std::string, std::size_t> out;
  for (const auto& [path, line] : lines)
    if (path.starts_with(prefix + ".")) out.emplace(path.substr(prefix.size() + 1), line);
  return out;
}

void take(std::vector<Manifest>& into, Manifest m) {
  if (!isList(m.object)) {
    check(m);
    into.push_back(std::move(m));
    return;
  }
  const json::Array& items = *json::arrayAt(m.object, {"items"});
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string path = fmt::format("items[{}]", i);
    const auto line = m.lines.find(path);
    take(into, {.object = items[i],
                .file = m.file,
                .line = line == m.lines.end() ? m.line : line->second,
                .lines = below(m.lines, path)});
  }
}

// "spec.nics[0].mac" → "spec.nics[0]" → "spec.nics" → "spec" → ""
std::string_view enclosing(std::string_view field) {
  const auto cut = field.find_last_of(".[");
  return cut == std::string_view::npos ? std::string_view{} : field.substr(0, cut);
}

}  // namespace

std::string Manifest::apiVersion() const { return json::textAt(object, {"apiVersion"}); }
std::string Manifest::kind() const { return json::textAt(object, {"kind"}); }
std::string Manifest::name() const { return json::textAt(object, {"metadata", "name"}); }
std::string Manifest::namespace_() const { return json::textAt(object, {"metadata", "namespace"}); }

std::string Manifest::place(std::string_view field) const { return fmt::format("{}:{}", file, lineOf(field)); }

std::size_t Manifest::lineOf(std::string_view field) const {
  for (; !field.empty(); field = enclosing(field))
    if (const auto found = lines.find(std::string(field)); found != lines.end()) return found->second;
  return line;
}

void Manifest::defaultNamespace(const std::string& to) {
  const json::Value* given = json::find(object, {"metadata", "namespace"});
  const bool isOfWrongType = given && !given->is_null() && !given->is_string();
  if (namespace_().empty() && !isOfWrongType) json::makeObjectAt(object, {"metadata"})["namespace"] = to;
}

std::vector<Manifest> parseManifests(const Source& source) {
  std::vector<Manifest> out;
  try {
    for (json::YamlDocument& document : json::parseYaml(source.text))
      take(out, {.object = std::move(document.value),
                 .file = source.name,
                 .line = document.line,
                 .lines = std::move(document.lines)});
  } catch (const json::YamlError& e) {
    const std::string text = e.what();
    const std::string prefix = fmt::format("line {}: ", e.line());
    const bool hasLine = text.starts_with(prefix);
    refuse(hasLine ? fmt::format("{}:{}", source.name, e.line()) : source.name,
           "not YAML: " + (hasLine ? text.substr(prefix.size()) : text));
  }
  return out;
}

}  // namespace ingot::cli
