// Manifests: text in, objects out, each knowing the file and line it came from.
#pragma once

#include "json/value.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::cli {

struct Source {
  std::string name;  // as the user wrote it; "standard input"
  std::string text;
};

struct Manifest {
  json::Value object;
  std::string file;
  std::size_t line = 1;                      // of the document, or of the item of a List
  std::map<std::string, std::size_t> lines;  // of each field, "spec.bmc.address"

  [[nodiscard]] std::string apiVersion() const;
  [[nodiscard]] std::string kind() const;
  [[nodiscard]] std::string name() const;
  [[nodiscard]] std::string namespace_() const;
  // "hosts.yaml:12" of the field, or of the nearest enclosing one that is written down.
  [[nodiscard]] std::string place(std::string_view field = {}) const;
  [[nodiscard]] std::size_t lineOf(std::string_view field) const;
  // Sets metadata.namespace where none is written.
  void defaultNamespace(const std::string& to);
};

// Every object of a text, Lists taken apart. Throws Failure naming file, line and field for what no server would
// understand.
[[nodiscard]] std::vector<Manifest> parseManifests(const Source& source);

// Files, folders (their *.yaml, *.yml and *.json in order of name; with `recursive` those below too), "-" for
// `standardInput`. Throws Failure{notFound} for what is not there.
[[nodiscard]] std::vector<Source> readSources(const std::vector<std::string>& paths, bool recursive,
                                              const std::string& standardInput);

}  // namespace ingot::cli
