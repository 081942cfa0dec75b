// Configuration: a described struct, read from a YAML file and changed by overrides from the command line.
#pragma once

#include "json/describe.hpp"
#include "json/yaml.hpp"

#include <functional>

namespace ingot::json {

// `key` is a dotted path ("poll.power"), `value` is read as YAML would read it.
struct Override {
  std::string key, value;
};

// The document of the file with the overrides laid over it, and where each member came from, for messages.
class ConfigSource {
 public:
  // Throws base::InvalidInput "<name>:<line>: ..." for a file that is not one YAML map.
  ConfigSource(std::string_view text, std::string name);

  void apply(const Override& change);
  [[nodiscard]] const Value& value() const { return document_.value; }
  // "agent.yaml:12" for a member of the file, "--set poll.power" for an override.
  [[nodiscard]] std::string where(std::string_view path) const;

  // Throws base::InvalidInput naming file and line for the first of `unknown`.
  void refuseUnknown(const std::vector<std::string>& unknown) const;

 private:
  YamlDocument document_;
  std::string name_;
  std::map<std::string, std::string> overridden_;  // path → how it was given
};

// Throws base::InvalidInput with file and line for bad YAML, an unknown key or a value of the wrong type.
template <class T>
[[nodiscard]] T loadConfig(std::string_view text, const std::string& name,
                           const std::vector<Override>& overrides = {}) {
  ConfigSource source(text, name);
  for (const auto& change : overrides) source.apply(change);
  std::vector<std::string> unknown;
  try {
    T out = decodeStrict<T>(source.value(), unknown);
    source.refuseUnknown(unknown);
    return out;
  } catch (const DecodeError& e) {
    throw base::InvalidInput(source.where(e.path()), e.what());
  }
}

// A command line in whose place a file may stand: `--config FILE` (or --config=FILE) is taken out, and what the file
// says is put in front, so that flags win where an option takes the last. Its keys are the options' names without
// dashes:
//   server: tcp://10.0.0.1:7460
//   embedded: true            # a flag; false leaves it out
// An empty value, there or as `--option=`, becomes an argument of its own.
// Throws base::InvalidInput with file and line for bad YAML, an unknown key, a list or a map; base::Error when the file
// cannot be read.
[[nodiscard]] std::vector<std::string> withConfigFile(const std::vector<std::string>& arguments,
                                                      const std::function<bool(const std::string& option)>& known);

}  // namespace ingot::json
