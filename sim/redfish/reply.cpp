#include "sim/redfish/reply.hpp"

namespace ingot::sim::redfish {

Reply ok(json::Object body) { return {.status = 200, .body = std::move(body)}; }

Reply noContent() { return {.status = 204}; }

Reply created(json::Object body, const std::string& location) {
  return {.status = 201, .body = std::move(body), .headers = {{"Location", location}}};
}

Reply accepted(json::Object task, const std::string& monitor) {
  return {.status = 202, .body = std::move(task), .headers = {{"Location", monitor}, {"Retry-After", "1"}}};
}

Reply error(int status, std::string_view message, std::string_view text) {
  const std::string id = fmt::format("Base.1.18.{}", message);
  json::Object info{{"MessageId", id},
                    {"Message", text},
                    {"MessageArgs", json::Array{}},
                    {"Severity", "Critical"},
                    {"MessageSeverity", "Critical"},
                    {"Resolution", "None."}};
  json::Object body{{"code", id}, {"message", text}, {"@Message.ExtendedInfo", json::Array{std::move(info)}}};
  return {.status = status, .body = json::Object{{"error", std::move(body)}}};
}

Reply notFound(std::string_view path) {
  return error(404, "ResourceMissingAtURI", fmt::format("The resource at the URI '{}' was not found.", path));
}

Reply valueNotInList(std::string_view property, std::string_view value) {
  return error(
      400, "PropertyValueNotInList",
      fmt::format("The value '{}' for the property {} is not in the list of acceptable values.", value, property));
}

Reply missing(std::string_view action, std::string_view parameter) {
  return error(
      400, "ActionParameterMissing",
      fmt::format("The action {} requires the parameter {} to be present in the request body.", action, parameter));
}

json::Object link(std::string_view path) { return {{"@odata.id", path}}; }

json::Object collection(std::string_view path, std::string_view type, std::string_view name,
                        const std::vector<std::string>& members) {
  json::Array links;
  for (const auto& member : members) links.push_back(link(member));
  return {{"@odata.id", path},
          {"@odata.type", fmt::format("#{0}Collection.{0}Collection", type)},
          {"Name", name},
          {"Members@odata.count", members.size()},
          {"Members", std::move(links)}};
}

json::Object resource(std::string_view path, std::string_view type, std::string_view id, std::string_view name) {
  return {{"@odata.id", path}, {"@odata.type", fmt::format("#{}", type)}, {"Id", id}, {"Name", name}};
}

json::Object healthy(bool enabled) {
  return {{"State", enabled ? "Enabled" : "Disabled"}, {"Health", "OK"}, {"HealthRollup", "OK"}};
}

}  // namespace ingot::sim::redfish
