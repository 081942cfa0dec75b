// Support bundles, unpacked, and a fleet with a secret in every place where one can be.
#pragma once

#include "cli/bundle/redaction.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace ingot::cli::tests {

// Contents by path, without the folder that all stand in. Throws std::runtime_error for what is no .tar.gz.
[[nodiscard]] std::map<std::string, std::string> unpacked(const std::string& path);

// A secret, where it stands, and the rules each of which keeps it from leaving.
struct Planted {
  std::set<bundle::Rule> rules;
  std::string where, value;
};

[[nodiscard]] const std::vector<Planted>& planted();
// Objects that `ingotctl apply` brings, and what the API is made to answer by path where it has no such kind.
[[nodiscard]] std::string plantedManifests();
[[nodiscard]] std::map<std::string, std::string> plantedAnswers();
// status of host metal3/leaky.
[[nodiscard]] std::string plantedStatus();
[[nodiscard]] std::string plantedLog();

// As it is, or in base64, wherever that begins.
[[nodiscard]] bool holds(const std::map<std::string, std::string>& files, const std::string& value);

}  // namespace ingot::cli::tests
