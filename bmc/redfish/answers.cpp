#include "bmc/redfish/answers.hpp"

#include "base/utf8.hpp"
#include "bmc/redfish/resources.hpp"
#include "net/url.hpp"

#include <fmt/format.h>

namespace ingot::bmc::redfish {

namespace {

constexpr std::size_t longestList = 10'000;   // SELs have a few thousand entries, registries as many messages
constexpr std::size_t mostInLists = 100'000;  // of a document; each of those may have some arguments

std::size_t checkedSize(std::size_t members, const char* what) {
  if (members > longestList)
    throw base::Error(fmt::format("{} of {} members; at most {} are read", what, members, longestList));
  return members;
}

// How many members the lists in it have, at every depth (json::parse bounds that).
std::size_t membersIn(const json::Value& value) {
  std::size_t count = 0;
  if (const auto* list = value.if_array()) {
    count = checkedSize(list->size(), "a list");
    for (const auto& member : *list) count += membersIn(member);
  } else if (const auto* object = value.if_object()) {
    checkedSize(object->size(), "an object");
    for (const auto& member : *object) count += membersIn(member.value());
  }
  if (count > mostInLists) throw base::Error(fmt::format("lists of more than {} members together", mostInLists));
  return count;
}

}  // namespace

std::string pathOfLocation(const std::string& location) {
  if (location.starts_with("/")) return location;
  const auto url = net::parseUrl(location);
  if (!url) return {};
  return url->query.empty() ? url->path : url->path + "?" + url->query;
}

json::Value documentIn(const net::HttpResponse& response) {
  auto document = json::parse(base::toUtf8(response.body));
  static_cast<void>(membersIn(document));
  return document;
}

std::string resourcePathOf(const net::HttpResponse& created) {
  if (const auto location = created.headers.find("Location")) return pathOfLocation(*location);
  try {
    return pathOfLocation(json::decode<Link>(documentIn(created)).id.value_or(""));
  } catch (const base::Error&) {
    return {};
  }
}

}  // namespace ingot::bmc::redfish
