#include "sim/firstboot/cloud_config.hpp"

#include "base/base64.hpp"
#include "base/text.hpp"
#include "json/yaml.hpp"
#include "sim/firstboot/budget.hpp"
#include "sim/firstboot/error.hpp"
#include "sim/firstboot/gzip.hpp"

namespace ingot::sim::firstboot {

namespace {

constexpr std::string_view kind = "#cloud-config";
constexpr std::size_t mostMebibytesOfFiles = 64;

enum class Packing { plain, base64, gzip, gzipBase64 };

struct PackingName {
  std::string_view name;
  Packing packing;
};
constexpr PackingName packings[] = {
    {"", Packing::plain},
    {"text/plain", Packing::plain},
    {"b64", Packing::base64},
    {"base64", Packing::base64},
    {"gz", Packing::gzip},
    {"gzip", Packing::gzip},
    {"gz+b64", Packing::gzipBase64},
    {"gz+base64", Packing::gzipBase64},
    {"gzip+b64", Packing::gzipBase64},
    {"gzip+base64", Packing::gzipBase64},
};

std::string textIn(const json::Value& value) {
  if (value.is_null()) return "";
  return value.is_string() ? std::string(value.get_string()) : json::serialize(value);
}

std::string textIn(const json::Value& value, std::string_view name) {
  const auto* found = json::find(value, {name});
  return found ? textIn(*found) : "";
}

std::string fromBase64(const std::string& path, const std::string& text) {
  auto bytes = base::fromBase64(base::trimmed(text));
  if (!bytes) throw BootError(fmt::format("write_files: {}: the content is not base64", path));
  return std::move(*bytes);
}

std::string fromGzip(const std::string& path, const std::string& packed, const Budget& budget) {
  auto bytes = gunzip(packed, budget.left());
  if (!bytes) throw BootError(fmt::format("write_files: {}: the content is not gzip, or too large", path));
  return std::move(*bytes);
}

std::string contentOf(const std::string& path, const json::Value& file, const Budget& budget) {
  const auto encoding = base::lower(base::trimmed(textIn(file, "encoding")));
  const auto* found = std::ranges::find(packings, encoding, &PackingName::name);
  if (found == std::end(packings))
    throw BootError(fmt::format("write_files: {}: the encoding {} is not known", path, encoding));
  auto content = textIn(file, "content");
  switch (found->packing) {
    case Packing::plain: return content;
    case Packing::base64: return fromBase64(path, content);
    case Packing::gzip: return fromGzip(path, content, budget);
    case Packing::gzipBase64: return fromGzip(path, fromBase64(path, content), budget);
  }
  return content;
}

// Like cloud-init, which warns and goes on, it passes over an entry without a path.
void write(std::map<std::string, std::string>& files, const json::Value& file, Budget& budget) {
  const auto path = textIn(file, "path");
  if (path.empty()) return;
  auto content = contentOf(path, file, budget);
  budget.spend(content.size());
  if (json::boolAt(file, {"append"}).value_or(false))
    files[path] += content;
  else
    files[path] = std::move(content);
}

std::string quotedForShell(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string(R"('"'"')") : std::string(1, c);
  return out + "'";
}

// A text is a line of its own, a list is a program with its arguments.
std::string lineOf(const json::Value& command) {
  if (!command.is_array()) return textIn(command);
  std::string line;
  for (const auto& word : command.get_array()) line += (line.empty() ? "" : " ") + quotedForShell(textIn(word));
  return line;
}

json::Value parsed(std::string_view text) {
  try {
    return json::parseYamlValue(text);
  } catch (const json::YamlError& error) {
    throw BootError(fmt::format("the user data is not YAML: {}", error.what()));
  }
}

const json::Array& listAt(const json::Value& document, std::string_view name) {
  static const json::Array none;
  const auto* found = json::find(document, {name});
  if (!found || found->is_null()) return none;
  if (!found->is_array()) throw BootError(fmt::format("{} of the user data is no list", name));
  return found->get_array();
}

}  // namespace

CloudConfig readCloudConfig(std::string_view text) {
  const auto start = base::trimmed(text);
  if (start.empty()) return {};
  if (!base::equalButForCase(start.substr(0, kind.size()), kind))
    throw BootError("the user data does not begin with #cloud-config");  // what it holds instead may be secret
  if (text.contains('\0')) throw BootError("the user data holds zero bytes: a piece of it is missing");
  const auto document = parsed(text);
  CloudConfig config;
  Budget budget("write_files writes", mostMebibytesOfFiles);
  for (const auto& file : listAt(document, "write_files")) write(config.files, file, budget);
  for (const auto& command : listAt(document, "runcmd")) config.commands.push_back(lineOf(command));
  return config;
}

}  // namespace ingot::sim::firstboot
