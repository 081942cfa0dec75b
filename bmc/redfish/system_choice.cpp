#include "bmc/redfish/system_choice.hpp"

#include "bmc/error.hpp"

#include <fmt/ranges.h>

#include <set>

namespace ingot::bmc::redfish {

namespace {

// In order of preference among several that look like hosts.
constexpr std::string_view preferredIds[] = {"System_0", "DGX", "system", "Self", "1", "System.Embedded.1"};

bool looksLikeAHost(const System& system) {
  const bool physical = !system.systemType || *system.systemType == "Physical";
  const bool resettable = system.actions && system.actions->reset;
  return physical && resettable;
}

bool canBeBooted(const System& system) { return system.boot && !system.boot->target.value_or("").empty(); }

std::string pathOf(const System& system) { return system.odataId.value_or(""); }

}  // namespace

bool isBaseboard(std::string_view path) {
  path = withoutSlash(path);
  return path.substr(path.rfind('/') + 1).starts_with("HGX_Baseboard_");
}

std::size_t hostsAmong(const std::vector<Link>& systems) {
  std::set<std::string_view> paths;
  for (const auto& system : systems)
    if (system.id && !isBaseboard(*system.id)) paths.insert(withoutSlash(*system.id));
  return paths.size();
}

std::string chooseSystem(const std::vector<System>& members) {
  if (members.empty()) throw Error(Error::Code::protocol, "the BMC lists no system");
  if (members.size() == 1 && isBaseboard(pathOf(members.front())))
    throw Error(Error::Code::busy, "the BMC lists no system but the baseboard " + pathOf(members.front()));
  if (members.size() == 1) return pathOf(members.front());

  std::vector<System> hosts;
  std::ranges::copy_if(members, std::back_inserter(hosts), looksLikeAHost);
  if (std::ranges::any_of(hosts, canBeBooted)) std::erase_if(hosts, std::not_fn(canBeBooted));
  if (hosts.size() == 1) return pathOf(hosts.front());
  for (const auto wanted : preferredIds)
    for (const auto& system : hosts)
      if (system.id == wanted) return pathOf(system);

  std::vector<std::string> names;
  std::ranges::transform(members, std::back_inserter(names), pathOf);
  throw Error(Error::Code::ambiguousSystem,
              fmt::format("the BMC has {} systems ({}); name one in the BMC address, e.g. redfish://HOST{}",
                          members.size(), fmt::join(names, ", "), names.front()));
}

std::string firstManager(const Fact<SystemLinks>& links) {
  if (!links) return {};
  const auto& managers = links->managedBy.empty() ? links->managers : links->managedBy;
  return managers.empty() ? std::string() : managers.front().id.value_or("");
}

}  // namespace ingot::bmc::redfish
