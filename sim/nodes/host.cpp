#include "sim/nodes/host.hpp"

#include "base/base64.hpp"
#include "json/yaml.hpp"
#include "sim/firstboot/error.hpp"

namespace ingot::sim::nodes {

namespace {

using firstboot::BootError;

constexpr std::string_view withImage[] = {"provisioned", "externally provisioned"};
constexpr std::string_view withoutImage[] = {"preparing", "available", "provisioning", "deprovisioning"};

bool isOneOf(std::span<const std::string_view> states, std::string_view state) {
  return std::ranges::find(states, state) != states.end();
}

// As the coordinator: those of the ramdisk serve where none are given for the image.
std::string networkSecretOf(const json::Value& object) {
  auto name = json::textAt(object, {"spec", "networkData", "name"});
  return name.empty() ? json::textAt(object, {"spec", "preprovisioningNetworkDataName"}) : name;
}

// The same whether it was said once or over again.
json::Value mappingOf(std::string_view text, std::string_view what) {
  json::Value document;
  try {
    document = json::parseYamlValue(text);
  } catch (const json::YamlError& error) {
    throw BootError(fmt::format("the {} is not YAML: {}", what, error.what()));
  }
  if (!document.is_null() && !document.is_object()) throw BootError(fmt::format("the {} is no mapping", what));
  return document;
}

}  // namespace

Host hostOf(const json::Value& object) {
  const bool on = json::boolAt(object, {"status", "poweredOn"}).value_or(false);
  Host host{.ns = json::textAt(object, {"metadata", "namespace"}),
            .name = json::textAt(object, {"metadata", "name"}),
            .uid = json::textAt(object, {"metadata", "uid"}),
            .resourceVersion = json::textAt(object, {"metadata", "resourceVersion"}),
            .hangs = json::stringAt(object, {"metadata", "annotations", faultAnnotation}) == "os-hang",
            .secrets = {.userData = json::textAt(object, {"spec", "userData", "name"}),
                        .metaData = json::textAt(object, {"spec", "metaData", "name"}),
                        .networkData = networkSecretOf(object)}};
  const auto state = json::textAt(object, {"status", "provisioning", "state"});
  host.running = on && isOneOf(withImage, state) && !host.secrets.userData.empty();
  host.blank = isOneOf(withoutImage, state);
  return host;
}

std::optional<std::string> secretText(const json::Value& secret, std::string_view key) {
  for (const auto name : {key, std::string_view("value")}) {
    const auto coded = json::stringAt(secret, {"data", name});
    if (!coded) continue;
    auto bytes = base::fromBase64(*coded);
    if (!bytes) throw BootError(fmt::format("{} of a Secret is not base64", name));
    return bytes;
  }
  return std::nullopt;
}

firstboot::ConfigDrive configDriveOf(const Host& host, std::string userData, std::string_view metaData,
                                     std::string_view networkData) {
  json::Object all{{"uuid", host.uid},
                   {"metal3-namespace", host.ns},
                   {"metal3-name", host.name},
                   {"local-hostname", host.name},
                   {"local_hostname", host.name},
                   {"name", host.name}};
  if (const auto own = mappingOf(metaData, "meta data"); own.is_object())
    for (const auto& [key, value] : own.get_object()) all[key] = value;
  return {.metaData = std::move(all),
          .userData = std::move(userData),
          .networkData = mappingOf(networkData, "network data")};
}

}  // namespace ingot::sim::nodes
