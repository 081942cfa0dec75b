#include "sim/ramdisk/root_device.hpp"

namespace ingot::sim::ramdisk {

namespace {

constexpr std::uint64_t leastRootBytes = std::uint64_t{4} << 30;

std::string_view after(std::string_view text, std::string_view prefix) {
  text.remove_prefix(prefix.size());
  while (text.starts_with(' ')) text.remove_prefix(1);
  return text;
}

bool textFits(std::string_view wanted, std::string_view actual) {
  if (wanted.starts_with("s==")) return after(wanted, "s==") == actual;
  if (wanted.starts_with("<in>")) return actual.find(after(wanted, "<in>")) != actual.npos;
  return wanted == actual;
}

bool sizeFits(std::string_view wanted, std::uint64_t gibibytes) {
  for (const std::string_view prefix : {">=", "=="})
    if (wanted.starts_with(prefix)) {
      const auto digits = after(wanted, prefix);
      std::uint64_t number = 0;
      std::from_chars(digits.data(), digits.data() + digits.size(), number);
      return prefix == "==" ? gibibytes == number : gibibytes >= number;
    }
  return wanted == std::to_string(gibibytes);
}

bool fits(const Disk& disk, std::string_view hint, std::string_view wanted) {
  const auto& spec = disk.spec();
  if (hint == "name") return textFits(wanted, spec.name);
  if (hint == "serial") return textFits(wanted, spec.serial);
  if (hint == "model") return textFits(wanted, spec.model);
  if (hint == "vendor") return textFits(wanted, "Ingot");
  if (hint == "wwn" || hint == "wwn_with_extension") return textFits(wanted, spec.wwn);
  if (hint == "size") return sizeFits(wanted, disk.size() >> 30);
  if (hint == "rotational") return textFits(wanted, spec.rotational ? "true" : "false");
  return false;
}

std::string wantedText(const json::Value& value) {
  return value.is_string() ? std::string(value.get_string()) : json::serialize(value);
}

}  // namespace

Disk* chooseRootDevice(Machine& machine, const json::Object& hints) {
  Disk* best = nullptr;
  for (auto& disk : machine.disks) {
    const bool all = std::ranges::all_of(
        hints, [&](const auto& hint) { return fits(disk, std::string_view(hint.key()), wantedText(hint.value())); });
    if (!all || (hints.empty() && disk.size() < leastRootBytes)) continue;
    if (!best || (hints.empty() && disk.size() < best->size())) best = &disk;
  }
  return best;
}

json::Object rootDeviceHints(const json::Value& node) {
  for (const auto* parent : {"instance_info", "properties"}) {
    const auto* hints = json::objectAt(node, {parent, "root_device"});
    if (hints && !hints->empty()) return *hints;
  }
  return {};
}

}  // namespace ingot::sim::ramdisk
