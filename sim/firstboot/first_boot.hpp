// Start here: from a config drive to what a machine is asked to do when it first boots from its disk.
#pragma once

#include "json/value.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ingot::sim::firstboot {

// openstack/latest/ of the config drive.
struct ConfigDrive {
  json::Object metaData;
  std::string userData;
  json::Value networkData;  // null when there is none
};

enum class KubeadmVerb { init, join };

// `kubeadm VERB --config PATH`, and the documents of that file.
struct KubeadmCommand {
  KubeadmVerb verb = KubeadmVerb::init;
  std::string configPath;
  std::vector<json::Value> documents;

  // nullptr when the file has none of that kind.
  [[nodiscard]] const json::Value* find(std::string_view kind) const;
};

struct FirstBoot {
  std::string hostname;
  std::map<std::string, std::string> files;  // what write_files left
  std::vector<std::string> missingNames;     // of the template; cloud-init only warns
  std::optional<KubeadmCommand> kubeadm;     // nullopt: no command asks for it
};

// Throws BootError saying what is missing or cannot be read.
[[nodiscard]] FirstBoot readFirstBoot(const ConfigDrive& drive);

}  // namespace ingot::sim::firstboot
