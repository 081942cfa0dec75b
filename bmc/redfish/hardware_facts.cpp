#include "bmc/redfish/hardware_facts.hpp"

#include "base/cut_text.hpp"
#include "base/text.hpp"
#include "bmc/model/power.hpp"

#include <algorithm>
#include <cmath>

namespace ingot::bmc::redfish {

namespace {

constexpr std::size_t longestFact =
    1024;  // bytes; it is cut again once the password is out of it (redacted_capabilities.hpp)

}  // namespace

std::int64_t whole(const Fact<double>& number) {
  constexpr double most = 9e18;
  if (!number || !std::isfinite(*number) || *number <= 0) return 0;
  return static_cast<std::int64_t>(std::min(*number, most));
}

std::string textOf(const Fact<std::string>& fact) {
  return fact ? base::cutText(base::trimmed(*fact), longestFact) : std::string();
}

std::string firstTextOf(std::initializer_list<Fact<std::string>> facts) {
  for (const auto& fact : facts)
    if (auto text = textOf(fact); !text.empty()) return text;
  return {};
}

bool isAbsent(const Fact<Status>& status) { return status && status->state && *status->state == "Absent"; }

std::string healthTextOf(const Fact<Status>& status) {
  const auto health = status && status->health ? parseHealth(*status->health) : std::nullopt;
  return health && *health != Health::unknown ? std::string(toText(*health)) : std::string();
}

Component componentOf(std::string_view kind, const Fact<std::string>& path, std::string name,
                      const Fact<Status>& status) {
  return {.path = textOf(path),
          .kind = std::string(kind),
          .name = std::move(name),
          .state = status ? textOf(status->state) : std::string(),
          .health = healthTextOf(status)};
}

std::string dayOf(const Fact<std::string>& time) {
  constexpr std::string_view form = "0000-00-00", never = "1970-01-01";
  auto day = textOf(time).substr(0, form.size());
  const bool isDay = std::ranges::equal(
      day, form, [](char c, char wanted) { return wanted == '0' ? c >= '0' && c <= '9' : c == wanted; });
  return isDay && day > never ? day : std::string();
}

bool isPresent(const Drive& drive) { return !isAbsent(drive.status) && whole(drive.bytes) > 0; }

std::string kindOf(const Drive& drive) {
  if (textOf(drive.protocol).starts_with("NVMe")) return "NVME";
  const auto media = textOf(drive.mediaType);
  if (media == "SSD" && textOf(drive.protocol) == "PCIe") return "NVME";  // as iDRAC and AMI call it
  if (media == "HDD" || media == "SMR") return "HDD";
  return media == "SSD" ? "SSD" : "";
}

}  // namespace ingot::bmc::redfish
