#include "sim/firstboot/first_boot.hpp"

#include "json/yaml.hpp"
#include "sim/firstboot/cloud_config.hpp"
#include "sim/firstboot/error.hpp"
#include "sim/firstboot/instance_data.hpp"
#include "sim/firstboot/program.hpp"
#include "sim/firstboot/shell.hpp"
#include "sim/firstboot/template.hpp"

namespace ingot::sim::firstboot {

namespace {

std::string expanded(const ConfigDrive& drive) {
  const auto names = instanceData(drive.metaData, drive.networkData);
  if (!isTemplate(drive.userData)) return drive.userData;
  try {
    return render(drive.userData, names);
  } catch (const BootError& error) {
    throw BootError(fmt::format("the template of the user data: {}", error.what()));
  }
}

std::vector<std::string> missingIn(std::string_view text) {
  std::vector<std::string> names;
  for (auto at = text.find(missingName); at != std::string_view::npos; at = text.find(missingName, at + 1)) {
    const auto name = text.substr(at + missingName.size());
    names.emplace_back(name.substr(0, name.find_first_of(" \t\r\n\"',")));
  }
  return names;
}

// `--config X` or `--config=X`.
std::optional<std::string> configIn(CommandWords words) {
  constexpr std::string_view flag = "--config";
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == flag && i + 1 < words.size()) return words[i + 1];
    if (words[i].starts_with(flag) && words[i].substr(flag.size()).starts_with('='))
      return words[i].substr(flag.size() + 1);
  }
  return std::nullopt;
}

// nullopt: the command is another one, or does a part only. Flags may stand before the verb, and their values.
std::optional<KubeadmCommand> asKubeadm(CommandWords command) {
  const auto words = programIn(command);
  if (words.empty() || baseName(words.front()) != "kubeadm") return std::nullopt;
  const auto verb = std::ranges::find_if(words, [](const auto& word) { return word == "init" || word == "join"; });
  const bool isPhase = verb != words.end() && std::next(verb) != words.end() && *std::next(verb) == "phase";
  if (verb == words.end() || isPhase) return std::nullopt;
  const auto path = configIn(words);
  if (!path) throw BootError(fmt::format("kubeadm {} has no --config", *verb));
  return KubeadmCommand{.verb = *verb == "init" ? KubeadmVerb::init : KubeadmVerb::join, .configPath = *path};
}

std::vector<json::Value> documentsIn(const std::map<std::string, std::string>& files, const std::string& path) {
  const auto file = files.find(path);
  if (file == files.end()) throw BootError(fmt::format("write_files writes no {}, which kubeadm is to read", path));
  std::vector<json::Value> documents;
  try {
    for (auto& each : json::parseYaml(file->second)) documents.push_back(std::move(each.value));
  } catch (const json::YamlError& error) {
    throw BootError(fmt::format("{} is not YAML: {}", path, error.what()));
  }
  return documents;
}

std::optional<KubeadmCommand> kubeadmOf(const CloudConfig& config) {
  std::optional<KubeadmCommand> found;
  for (const auto& line : config.commands)
    for (const auto& words : commandsOf(line)) {
      auto command = asKubeadm(words);
      if (!command) continue;
      if (found && (found->verb != command->verb || found->configPath != command->configPath))
        throw BootError("runcmd calls kubeadm for two things");
      found = std::move(command);
    }
  if (found) found->documents = documentsIn(config.files, found->configPath);
  return found;
}

}  // namespace

const json::Value* KubeadmCommand::find(std::string_view kind) const {
  for (const auto& document : documents)
    if (json::stringAt(document, {"kind"}) == kind) return &document;
  return nullptr;
}

FirstBoot readFirstBoot(const ConfigDrive& drive) {
  const auto text = expanded(drive);
  auto config = readCloudConfig(text);
  auto kubeadm = kubeadmOf(config);
  return {.hostname = localHostname(drive.metaData),
          .files = std::move(config.files),
          .missingNames = missingIn(text),
          .kubeadm = std::move(kubeadm)};
}

}  // namespace ingot::sim::firstboot
