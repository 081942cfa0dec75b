#include "cli/show/hardware.hpp"

#include "cli/show/documents.hpp"
#include "cli/words/plain_text.hpp"

namespace ingot::cli {
namespace {

std::string line(std::string_view part, const std::string& text) {
  return fmt::format("  {:<9}{}\n", part, plainText(text));
}

// The texts that are there, with a blank between them.
std::string joined(std::initializer_list<std::string> texts) {
  std::string out;
  for (const auto& text : texts)
    if (!text.empty()) out += (out.empty() ? "" : " ") + text;
  return out;
}

std::string inBrackets(const std::string& text) { return text.empty() ? text : "(" + text + ")"; }

std::string switchOf(const json::Boxed<api::Lldp>& lldp) {
  if (!lldp) return {};
  const auto name = lldp->switchSystemName.empty() ? lldp->switchID : lldp->switchSystemName;
  return joined({"at switch", name, lldp->portID.empty() ? "" : "port", lldp->portID});
}

std::string functionText(const json::Value& function) {
  const auto vendor = json::textAt(function, {"vendorId"}), device = json::textAt(function, {"deviceId"});
  return joined({json::textAt(function, {"deviceClass"}), inBrackets(joined({vendor, device}))});
}

// "ACME P1, part 77, serial S1"
std::string identityOf(const json::Value& of) {
  auto text = joined({json::textAt(of, {"manufacturer"}), json::textAt(of, {"model"})});
  for (const auto& [member, word] : {std::pair{"partNumber", "part"}, {"serialNumber", "serial"}})
    if (const auto value = json::textAt(of, {member}); !value.empty())
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", word, value);
  return text;
}

// Of a BMC whose protocol tells of no more.
std::string partialLines(const json::Value& inventory) {
  std::string out;
  if (const auto identity = identityOf(inventory); !identity.empty()) out += line("FRU", identity);
  for (const auto& module : arrayOf(inventory, "modules"))
    out +=
        line("FRU",
             joined({json::textAt(module, {"name"}), inBrackets(json::textAt(module, {"kind"})), identityOf(module)}));
  std::string untold;
  for (const auto& what : arrayOf(inventory, "untold"))
    if (what.is_string()) untold += fmt::format("{}{}", untold.empty() ? "" : ", ", what.get_string().c_str());
  return out + line("Not told", untold + ": its BMC has no words for them");
}

std::string gigabytes(std::int64_t bytes) { return fmt::format("{:.0f} GB", static_cast<double>(bytes) / 1e9); }

}  // namespace

std::string hardwareLines(const api::HardwareDetails& hardware) {
  const auto& v = hardware.systemVendor;
  std::string out;
  const auto add = [&out](std::string_view part, const std::string& text) { out += line(part, text); };
  add("System", fmt::format("{} {}, serial {}", v.manufacturer, v.productName, v.serialNumber));
  const auto& bios = hardware.firmware.bios;
  add("BIOS", fmt::format("{} {} {}", bios.vendor, bios.version, inBrackets(bios.date)));
  add("CPU", fmt::format("{} x {} {}", hardware.cpu.count, hardware.cpu.arch, hardware.cpu.model));
  add("Memory", fmt::format("{} MiB", hardware.ramMebibytes));
  for (const auto& disk : hardware.storage)
    add("Disk", fmt::format("{} {} {} {}", disk.name, gigabytes(disk.sizeBytes), disk.type, disk.serialNumber));
  for (const auto& nic : hardware.nics)
    add("NIC", joined({nic.name, nic.mac, nic.ip, nic.pxe ? "(boots)" : "",
                       nic.vlanId == 0 ? "" : fmt::format("VLAN {}", nic.vlanId), switchOf(nic.lldp)}));
  return out;
}

std::string readHardwareLines(const json::Value& inventory) {
  std::string out;
  if (!arrayOf(inventory, "untold").empty()) out += partialLines(inventory);
  if (const auto bmc = joined({json::textAt(inventory, {"bmc", "mac"}), json::textAt(inventory, {"bmc", "address"})});
      !bmc.empty())
    out += line("BMC", bmc);
  for (const auto& disk : arrayOf(inventory, "disks")) {
    const auto* bytes = json::find(disk, {"bytes"});
    const bool hasSize = bytes != nullptr && bytes->is_int64() && bytes->get_int64() > 0;
    out += line("Drive", joined({json::textAt(disk, {"name"}), hasSize ? gigabytes(bytes->get_int64()) : "",
                                 json::textAt(disk, {"kind"}), json::textAt(disk, {"model"}),
                                 json::textAt(disk, {"serialNumber"})}));
  }
  for (const auto& card : arrayOf(inventory, "networkCards"))
    if (const auto link = json::textAt(card, {"link"}); !link.empty())
      out += line("Link", joined({json::textAt(card, {"name"}), json::textAt(card, {"mac"}), link}));
  for (const auto& one : arrayOf(inventory, "firmware"))
    out += line("Firmware", joined({json::textAt(one, {"name"}), json::textAt(one, {"version"}),
                                    inBrackets(json::textAt(one, {"releaseDate"}))}));
  for (const auto& device : arrayOf(inventory, "pcieDevices")) {
    const auto functions = arrayOf(device, "functions");
    out += line("PCIe", joined({json::textAt(device, {"name"}), json::textAt(device, {"manufacturer"}),
                                json::textAt(device, {"model"}), inBrackets(json::textAt(device, {"slot"})),
                                functions.empty() ? "" : functionText(functions.front())}));
  }
  for (const auto& one : arrayOf(inventory, "components"))
    if (const auto health = json::textAt(one, {"health"}); !health.empty() && health != "OK")
      out += line(health, joined({json::textAt(one, {"kind"}), json::textAt(one, {"name"}),
                                  inBrackets(json::textAt(one, {"path"}))}));
  return out;
}

}  // namespace ingot::cli
