#include "base/text.hpp"
#include "cloudinit/network/sections.hpp"

namespace ingot::cloudinit::network {

namespace {

namespace v1beta2 = api::capm3::v1beta2;

// Six pairs of hexadecimal digits with : or - between them.
bool isMac(std::string_view text) {
  if (text.size() != 17) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool separator = i % 3 == 2;
    if (separator ? text[i] != ':' && text[i] != '-' : base::hexDigit(text[i]) < 0) return false;
  }
  return true;
}

std::string givenMac(const Field& field, const v1beta2::LinkMac& mac, const Snapshot& snapshot) {
  if (!mac.string.empty()) return mac.string;
  if (!mac.fromHostInterface.empty())
    return macOfInterface(snapshot, field.member("fromHostInterface"), mac.fromHostInterface);
  if (!mac.fromAnnotation || !isGiven(*mac.fromAnnotation)) return "";
  const auto& from = *mac.fromAnnotation;
  return annotationOf(snapshot, {field.member("fromAnnotation"), from.object}, from.annotation);
}

std::string macOf(const Field& link, const v1beta2::LinkMac& wanted, const Snapshot& snapshot) {
  const Field field = link.member("macAddress");
  std::string mac = givenMac(field, wanted, snapshot);
  if (!isMac(mac)) throw RenderError(field, mac, "bad MAC address: " + mac);
  return mac;
}

// What every kind of link may have.
void addNameAndMac(json::Object& entry, const Field& field, const auto& link, const Snapshot& snapshot,
                   std::string_view macMember) {
  if (!link.name.empty()) entry["name"] = link.name;
  if (link.macAddress) entry[macMember] = macOf(field, *link.macAddress, snapshot);
}

// Adds each bond parameter as a member bond_NAME. None may replace a member that is there.
void addParameters(json::Object& entry, const Field& field, const v1beta2::BondLink& bond) {
  std::string illegal;
  for (const auto& parameter : bond.parameters) {
    const bool added = entry.emplace("bond_" + parameter.name, parameter.value).second;
    if (!added) illegal += (illegal.empty() ? "\"" : ", \"") + parameter.name + "\"";
  }
  if (illegal.empty()) return;
  throw RenderError(field.member("parameters"), "",
                    fmt::format("illegal params {} into bond params blob into link id={}", illegal, bond.id));
}

json::Value membersOf(const v1beta2::BondLink& bond) {
  if (!bond.bondLinks) return nullptr;
  json::Array out;
  for (const std::string& link : *bond.bondLinks) out.emplace_back(link);
  return out;
}

json::Object render(const Field& field, const v1beta2::BondLink& bond, const Snapshot& snapshot) {
  json::Object entry{{"type", "bond"},
                     {"id", bond.id},
                     {"mtu", bond.mtu},
                     {"bond_mode", bond.bondMode},
                     {"bond_xmit_hash_policy", bond.bondXmitHashPolicy},
                     {"bond_links", membersOf(bond)}};
  addNameAndMac(entry, field, bond, snapshot, "ethernet_mac_address");
  addParameters(entry, field, bond);
  return entry;
}

json::Object render(const Field& field, const v1beta2::EthernetLink& ethernet, const Snapshot& snapshot) {
  json::Object entry{{"type", ethernet.type}, {"id", ethernet.id}, {"mtu", ethernet.mtu}};
  addNameAndMac(entry, field, ethernet, snapshot, "ethernet_mac_address");
  return entry;
}

json::Object render(const Field& field, const v1beta2::VlanLink& vlan, const Snapshot& snapshot) {
  if (!vlan.vlanID) {
    throw RenderError(field.member("vlanID"), "",
                      fmt::format("renderNetworkLinks: VLAN link {} is missing required VlanID", quotedAsGo(vlan.id)));
  }
  json::Object entry{
      {"type", "vlan"}, {"id", vlan.id}, {"mtu", vlan.mtu}, {"vlan_link", vlan.vlanLink}, {"vlan_id", *vlan.vlanID}};
  addNameAndMac(entry, field, vlan, snapshot, "vlan_mac_address");
  return entry;
}

}  // namespace

json::Array renderLinks(const Field& field, const v1beta2::NetworkLinks& wanted, const Snapshot& snapshot) {
  json::Array out;
  const auto all = [&](std::string_view list, const auto& links) {
    for (std::size_t i = 0; i < links.size(); ++i) out.push_back(render(field.item(list, i), links[i], snapshot));
  };
  all("bonds", wanted.bonds);
  all("ethernets", wanted.ethernets);
  all("vlans", wanted.vlans);
  return out;
}

}  // namespace ingot::cloudinit::network
