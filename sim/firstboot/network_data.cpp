#include "sim/firstboot/network_data.hpp"

#include "base/ip_address.hpp"
#include "sim/firstboot/error.hpp"

#include <set>

namespace ingot::sim::firstboot {

namespace {

const json::Array& listIn(const json::Value& object, std::string_view name) {
  static const json::Array none;
  const auto* found = json::find(object, {name});
  if (!found || found->is_null()) return none;
  if (!found->is_array()) throw BootError(fmt::format("{} of the network data is no list", name));
  return found->get_array();
}

std::string_view withoutPrefix(std::string_view address) { return address.substr(0, address.find('/')); }

// Of gateways and name servers; they are not the machine's own.
std::set<base::IpAddress> othersIn(const json::Value& networkData) {
  std::set<base::IpAddress> others;
  const auto add = [&](const std::string& text) {
    if (const auto address = base::IpAddress::parse(text)) others.insert(*address);
  };
  for (const auto& service : listIn(networkData, "services")) add(json::textAt(service, {"address"}));
  for (const auto& network : listIn(networkData, "networks")) {
    add(json::textAt(network, {"gateway"}));
    for (const auto& service : listIn(network, "services")) add(json::textAt(service, {"address"}));
    for (const auto& route : listIn(network, "routes")) {
      add(json::textAt(route, {"gateway"}));
      add(json::textAt(route, {"network"}));
      for (const auto& service : listIn(route, "services")) add(json::textAt(service, {"address"}));
    }
  }
  return others;
}

std::set<base::IpAddress> ofFamily(const std::set<base::IpAddress>& all, bool v4) {
  std::set<base::IpAddress> some;
  for (const auto address : all)
    if (address.isV4() == v4) some.insert(address);
  return some;
}

std::string listed(const std::set<base::IpAddress>& addresses) {
  std::string text;
  for (const auto address : addresses) text += (text.empty() ? "" : ", ") + address.text();
  return text;
}

}  // namespace

std::vector<std::string> addressesIn(const json::Value& networkData) {
  if (networkData.is_null()) return {};
  if (!networkData.is_object()) throw BootError("the network data is no object");
  std::set<std::string> links;
  for (const auto& link : listIn(networkData, "links")) links.insert(json::textAt(link, {"id"}));
  std::vector<std::string> addresses;
  for (const auto& network : listIn(networkData, "networks")) {
    const auto id = json::textAt(network, {"id"}), link = json::textAt(network, {"link"});
    if (!links.contains(link)) throw BootError(fmt::format("network {} is on link '{}', which is not there", id, link));
    const auto address = json::textAt(network, {"ip_address"});
    if (address.empty()) continue;
    if (!base::IpAddress::parse(withoutPrefix(address)))
      throw BootError(fmt::format("network {} has the address '{}', which is none", id, address));
    addresses.emplace_back(withoutPrefix(address));
  }
  return addresses;
}

void checkAddresses(const json::Object& metaData, const json::Value& networkData) {
  std::set<base::IpAddress> onNetwork, named;
  for (const auto& text : addressesIn(networkData)) onNetwork.insert(*base::IpAddress::parse(text));
  if (onNetwork.empty()) return;
  const auto others = othersIn(networkData);
  for (const auto& [key, value] : metaData)
    if (value.is_string())
      if (const auto address = base::IpAddress::parse(withoutPrefix(value.get_string()));
          address && !others.contains(*address))
        named.insert(*address);
  for (const bool v4 : {true, false}) {
    const auto here = ofFamily(onNetwork, v4), there = ofFamily(named, v4);
    if (here.empty() || there.empty()) continue;
    if (std::ranges::none_of(here, [&](const auto& each) { return there.contains(each); }))
      throw BootError(
          fmt::format("the meta data names {}, and the network data gives it {}", listed(there), listed(here)));
  }
}

}  // namespace ingot::sim::firstboot
