#include "coordinator/shadow/target.hpp"

#include "net/url.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace ingot::coordinator::shadow {
namespace {

using Segments = std::vector<std::string>;

// Of Pods, Nodes and Services: a GET opens a connection to what runs there.
constexpr std::string_view kThrough[] = {"attach", "exec", "portforward", "proxy"};

// What a namespace itself has, beside the objects in it.
bool isOfNamespace(const Segments& below) {
  return below.size() == 1 && (below[0] == "status" || below[0] == "finalize");
}

std::string at(const Segments& segments, std::size_t place) {
  return place < segments.size() ? segments[place] : std::string();
}

// `group`: "" for the core group. `below`: what follows the version.
std::optional<Target> targetBelow(const std::string& group, Segments below) {
  Target target;
  if (below.size() > 2 && below[0] == "namespaces" && !isOfNamespace({below.begin() + 2, below.end()})) {
    target.key.namespace_ = below[1];
    below.erase(below.begin(), below.begin() + 2);
  }
  if (below.empty() || below[0].empty() || below.size() > 3) return std::nullopt;
  target.resource = group.empty() ? below[0] : below[0] + "." + group;
  target.key.name = at(below, 1);
  target.subresource = at(below, 2);
  return target;
}

}  // namespace

std::optional<Target> targetOf(std::string_view target) {
  Segments segments = net::pathSegments(target.substr(0, target.find('?')));
  if (segments.size() > 2 && segments[0] == "api") return targetBelow("", {segments.begin() + 2, segments.end()});
  if (segments.size() > 3 && segments[0] == "apis")
    return targetBelow(segments[1], {segments.begin() + 3, segments.end()});
  return std::nullopt;
}

bool reachesThrough(std::string_view target) {
  Segments segments = net::pathSegments(target.substr(0, target.find('?')));
  if (std::ranges::any_of(segments, [](const auto& each) { return each == "." || each == ".."; })) return true;
  std::erase(segments, "");
  const bool isCore = !segments.empty() && segments[0] == "api", isGroup = !segments.empty() && segments[0] == "apis";
  if (!isCore && !isGroup) return false;
  segments.erase(segments.begin(), segments.begin() + std::min<std::ptrdiff_t>(std::ssize(segments), isCore ? 2 : 3));
  if (at(segments, 0) == "proxy") return true;  // as it was written once
  const auto isThrough = [&](std::size_t place) {
    return std::ranges::find(kThrough, at(segments, place)) != std::end(kThrough);
  };
  return isThrough(2) || (at(segments, 0) == "namespaces" && isThrough(4));
}

std::string ObjectId::text() const {
  return fmt::format("{} {}{}{}", resource, key.text(), cluster.empty() ? "" : " in ", cluster);
}

}  // namespace ingot::coordinator::shadow
