#include "sim/firstboot/instance_data.hpp"

#include "sim/firstboot/error.hpp"

namespace ingot::sim::firstboot {

namespace {

constexpr std::string_view cloud = "configdrive";

// cloud-init's own copies of what OpenStack's meta data calls otherwise.
json::Object withCloudInitNames(json::Object metaData) {
  const auto* uuid = metaData.if_contains("uuid");
  if (!uuid || !uuid->is_string()) throw BootError("the meta data of the config drive has no uuid");
  metaData["instance-id"] = json::Value(*uuid);
  if (const auto* name = metaData.if_contains("hostname")) metaData["local-hostname"] = json::Value(*name);
  return metaData;
}

json::Object standardized(const json::Object& metaData) {
  return {
      {"cloud_name", cloud},
      {"cloud_id", cloud},
      {"platform", cloud},
      {"instance_id", metaData.at("instance-id")},
      {"local_hostname", localHostname(metaData)},
      {"availability_zone", metaData.contains("availability_zone") ? metaData.at("availability_zone") : json::Value()}};
}

// Names with operators of the template language are known by a second name.
json::Object withAliases(const json::Object& from) {
  json::Object out;
  for (const auto& [key, value] : from) {
    json::Value known = value.is_object() ? json::Value(withAliases(value.get_object())) : value;
    std::string alias(key);
    std::ranges::replace_if(alias, [](char c) { return c == '-' || c == '.'; }, '_');
    if (alias != std::string_view(key)) out[alias] = known;
    out[key] = std::move(known);
  }
  return out;
}

}  // namespace

std::string localHostname(const json::Object& metaData) {
  for (const auto* key : {"hostname", "local-hostname"})
    if (const auto* name = metaData.if_contains(key); name && name->is_string()) {
      const std::string_view text = name->get_string();
      return std::string(text.substr(0, text.find('.')));
    }
  return "";
}

json::Object instanceData(const json::Object& metaData, const json::Value& networkData) {
  const auto known = withCloudInitNames(metaData);
  json::Object ds{{"meta_data", known}};
  if (!networkData.is_null()) ds["network_json"] = networkData;
  const auto v1 = standardized(known);
  json::Object all{{"ds", std::move(ds)}, {"v1", v1}};
  for (const auto& [key, value] : v1) all[key] = value;
  return withAliases(all);
}

}  // namespace ingot::sim::firstboot
