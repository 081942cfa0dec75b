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

json::Object messageInfo(std::string_view message, std::string_view text, const std::vector<std::string>& arguments) {
  const auto severity = message.starts_with("Property") ? "Warning" : "Critical";  // as the Base registry has them
  return {{"MessageId", message.contains('.') ? std::string(message) : fmt::format("Base.1.18.{}", message)},
          {"Message", text},
          {"MessageArgs", json::Array(arguments.begin(), arguments.end())},
          {"Severity", severity},
          {"MessageSeverity", severity},
          {"Resolution", "None."}};
}

Reply refusal(int status, json::Array messages) {
  const auto& first = messages.at(0).as_object();
  json::Object body{{"code", first.at("MessageId")}, {"message", first.at("Message")}};
  body["@Message.ExtendedInfo"] = std::move(messages);
  return {.status = status, .body = json::Object{{"error", std::move(body)}}, .headers = {}};
}

Reply error(int status, std::string_view message, std::string_view text, std::vector<std::string> arguments) {
  return refusal(status, json::Array{messageInfo(message, text, arguments)});
}

Reply insufficientPrivilege() {
  return error(403, "InsufficientPrivilege", "The account does not have the privileges that this needs.");
}

Reply aboutProperty(std::string_view message, std::string_view property, std::string_view text,
                    std::vector<std::string> arguments) {
  if (arguments.empty()) arguments.emplace_back(property);
  auto info = messageInfo(message, text, arguments);
  info["RelatedProperties"] = json::Array{fmt::format("#/{}", property)};
  return refusal(400, json::Array{std::move(info)});
}

Reply notFound(std::string_view path) {
  return error(404, "ResourceMissingAtURI", fmt::format("The resource at the URI '{}' was not found.", path),
               {std::string(path)});
}

Reply valueNotInList(std::string_view property, std::string_view value) {
  return aboutProperty(
      "PropertyValueNotInList", property,
      fmt::format("The value '{}' for the property {} is not in the list of acceptable values.", value, property),
      {std::string(value), std::string(property)});
}

Reply missing(std::string_view action, std::string_view parameter) {
  return aboutProperty(
      "ActionParameterMissing", parameter,
      fmt::format("The action {} requires the parameter {} to be present in the request body.", action, parameter),
      {std::string(action), std::string(parameter)});
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
