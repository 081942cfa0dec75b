// Answers of a Redfish service.
#pragma once

#include "json/value.hpp"
#include "net/http.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace ingot::sim::redfish {

struct Reply {
  int status = 200;
  json::Value body;  // null: no body
  net::Headers headers;
  std::string xml = {};                      // sent in place of `body`
  std::optional<std::string> streamTo = {};  // in place of both, events are sent, to the account of this id
};

[[nodiscard]] Reply ok(json::Object body);
[[nodiscard]] Reply noContent();
[[nodiscard]] Reply created(json::Object body, const std::string& location);
[[nodiscard]] Reply accepted(json::Object task, const std::string& monitor);

// The error body of spec/bmc.md §2.3; `message` is a key of the Base registry ("ActionParameterMissing"),
// or of another one that it names ("IDRAC.2.8.SYS518").
[[nodiscard]] Reply error(int status, std::string_view message, std::string_view text,
                          std::vector<std::string> arguments = {});
// The same with several messages; the first is told above them.
[[nodiscard]] Reply refusal(int status, json::Array messages);
[[nodiscard]] json::Object messageInfo(std::string_view message, std::string_view text,
                                       const std::vector<std::string>& arguments = {});
// 400 for what a member of the body says, or does not. Without arguments, the message's one is its name.
[[nodiscard]] Reply aboutProperty(std::string_view message, std::string_view property, std::string_view text,
                                  std::vector<std::string> arguments = {});
[[nodiscard]] Reply insufficientPrivilege();
[[nodiscard]] Reply notFound(std::string_view path);
[[nodiscard]] Reply valueNotInList(std::string_view property, std::string_view value);
[[nodiscard]] Reply missing(std::string_view action, std::string_view parameter);

// {"@odata.id": path}
[[nodiscard]] json::Object link(std::string_view path);
[[nodiscard]] json::Object collection(std::string_view path, std::string_view type, std::string_view name,
                                      const std::vector<std::string>& members);
// The members that every resource has.
[[nodiscard]] json::Object resource(std::string_view path, std::string_view type, std::string_view id,
                                    std::string_view name);
[[nodiscard]] json::Object healthy(bool enabled = true);  // a Status

}  // namespace ingot::sim::redfish
