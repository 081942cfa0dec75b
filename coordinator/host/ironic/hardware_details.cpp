#include "coordinator/host/ironic/operations.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace ingot::coordinator::host::ironic_backend {

namespace {

using Path = std::initializer_list<std::string_view>;

std::int64_t intOr0(const json::Value& from, Path path) { return json::intAt(from, path).value_or(0); }

int smallInt(const json::Value& from, Path path) {
  const std::int64_t value = intOr0(from, path);
  return value < 0 || value > std::numeric_limits<int>::max() ? 0 : static_cast<int>(value);
}

template <class Item>
std::vector<Item> each(const json::Value& from, Path path, Item (*convert)(const json::Value&)) {
  std::vector<Item> out;
  const json::Array* items = json::arrayAt(from, path);
  if (!items) return out;
  out.reserve(items->size());
  for (const json::Value& item : *items) out.push_back(convert(item));
  return out;
}

// "2100.0000" from the ramdisk, a number from Redfish, or nothing.
double megahertz(const json::Value* frequency) {
  if (!frequency) return 0;
  if (frequency->is_number()) return std::round(frequency->to_number<double>());
  if (!frequency->is_string()) return 0;
  const std::string_view text = frequency->get_string();
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() ? std::round(value) : 0;
}

api::Cpu cpu(const json::Value& from) {
  api::Cpu out{.arch = json::textAt(from, {"architecture"}),
               .model = json::textAt(from, {"model_name"}),
               .clockMegahertz = megahertz(json::find(from, {"frequency"})),
               .count = smallInt(from, {"count"})};
  if (const json::Array* flags = json::arrayAt(from, {"flags"}))
    for (const json::Value& flag : *flags)
      if (flag.is_string()) out.flags.emplace_back(flag.get_string());
  std::sort(out.flags.begin(), out.flags.end());
  return out;
}

std::string diskType(bool rotational, const std::string& name) {
  if (rotational) return "HDD";
  return name.starts_with("/dev/nvme") ? "NVME" : "SSD";
}

api::Storage disk(const json::Value& from) {
  const std::string name = json::textAt(from, {"name"});
  const std::string byPath = json::textAt(from, {"by_path"});
  const bool rotational = json::boolAt(from, {"rotational"}).value_or(false);
  api::Storage out{.name = byPath.empty() ? name : byPath,
                   .type = diskType(rotational, name),
                   .vendor = json::textAt(from, {"vendor"}),
                   .model = json::textAt(from, {"model"}),
                   .serialNumber = json::textAt(from, {"serial"}),
                   .wwn = json::textAt(from, {"wwn"}),
                   .wwnVendorExtension = json::textAt(from, {"wwn_vendor_extension"}),
                   .wwnWithExtension = json::textAt(from, {"wwn_with_extension"}),
                   .hctl = json::textAt(from, {"hctl"}),
                   .rotational = rotational,
                   .sizeBytes = intOr0(from, {"size"})};
  for (const std::string& other : {name, byPath})
    if (!other.empty()) out.alternateNames.push_back(other);
  return out;
}

std::string nicModel(const json::Value& from) {
  const std::string both = json::textAt(from, {"vendor"}) + " " + json::textAt(from, {"product"});
  const auto first = both.find_first_not_of(' ');
  return first == std::string::npos ? "" : both.substr(first);  // trimmed on the left only, as upstream does
}

api::Vlan vlan(const json::Value& from) { return {.id = smallInt(from, {"id"}), .name = json::textAt(from, {"name"})}; }

void addSwitch(api::Nic& nic, const json::Value& lldp) {
  api::Lldp found{.portID = json::textAt(lldp, {"switch_port_id"}),
                  .switchID = json::textAt(lldp, {"switch_chassis_id"}),
                  .switchSystemName = json::textAt(lldp, {"switch_system_name"})};
  if (found != api::Lldp{}) nic.lldp = std::move(found);
  nic.vlans = each(lldp, {"switch_port_vlans"}, vlan);
  nic.vlanId = smallInt(lldp, {"switch_port_untagged_vlan_id"});
}

// One entry an address; one without when there is none.
void addNics(std::vector<api::Nic>& out, const json::Value& from, const json::Value& plugin) {
  const std::string name = json::textAt(from, {"name"});
  api::Nic nic{.name = name,
               .model = nicModel(from),
               .mac = json::textAt(from, {"mac_address"}),
               .pciAddress = json::textAt(from, {"pci_address"}),
               .speedGbps = smallInt(from, {"speed_mbps"}) / 1000,
               .pxe = json::boolAt(plugin, {"all_interfaces", name, "pxe_enabled"}).value_or(false)};
  if (const json::Value* lldp = json::find(plugin, {"parsed_lldp", name})) addSwitch(nic, *lldp);
  const std::size_t before = out.size();
  for (const char* family : {"ipv4_address", "ipv6_address"}) {
    nic.ip = json::textAt(from, {family});
    if (!nic.ip.empty()) out.push_back(nic);
  }
  if (out.size() == before) out.push_back(nic);
}

std::vector<api::Nic> nics(const json::Value& inventory, const json::Value& plugin) {
  std::vector<api::Nic> out;
  if (const json::Array* interfaces = json::arrayAt(inventory, {"interfaces"}))
    for (const json::Value& one : *interfaces) addNics(out, one, plugin);
  return out;
}

}  // namespace

api::HardwareDetails hardwareDetails(const ironic::Inventory& found) {
  const json::Value inventory = found.inventory;
  const json::Value plugin = found.pluginData;
  const json::Value* processors = json::find(inventory, {"cpu"});
  return {.systemVendor = {.manufacturer = json::textAt(inventory, {"system_vendor", "manufacturer"}),
                           .productName = json::textAt(inventory, {"system_vendor", "product_name"}),
                           .serialNumber = json::textAt(inventory, {"system_vendor", "serial_number"})},
          .firmware = {.bios = {.date = json::textAt(inventory, {"system_vendor", "firmware", "build_date"}),
                                .vendor = json::textAt(inventory, {"system_vendor", "firmware", "vendor"}),
                                .version = json::textAt(inventory, {"system_vendor", "firmware", "version"})}},
          .ramMebibytes = intOr0(inventory, {"memory", "physical_mb"}),
          .nics = nics(inventory, plugin),
          .storage = each(inventory, {"disks"}, disk),
          .cpu = processors ? cpu(*processors) : api::Cpu{},
          .hostname = json::textAt(inventory, {"hostname"})};
}

}  // namespace ingot::coordinator::host::ironic_backend
