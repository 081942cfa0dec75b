#include "bmc/redfish/boot_order.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace ingot::bmc::redfish {

bool isLeftBySystem(const BootOption& option) {
  const auto path = base::lower(option.devicePath);
  const auto isOf = [&](std::string_view node) { return path.contains(node); };
  constexpr std::string_view notErased[] = {"fibre(", "fibreex(", "iscsi(", "nvmeof(", "usb(", "sd(", "emmc("};
  return isOf("hd(") && isOf(".efi") && std::ranges::none_of(notErased, isOf);
}

BootOrderReset planBootOrder(const std::vector<std::string>& order, const std::vector<BootOption>& options) {
  BootOrderReset plan;
  std::vector<std::string> last;
  for (const auto& reference : order) {
    const auto option = std::ranges::find(options, reference, &BootOption::reference);
    if (option == options.end() || !isLeftBySystem(*option))
      plan.order.push_back(reference);
    else if (!option->takesDelete)
      last.push_back(reference);
  }
  plan.order.insert(plan.order.end(), last.begin(), last.end());
  std::ranges::copy_if(options, std::back_inserter(plan.remove),
                       [](const auto& option) { return option.takesDelete && isLeftBySystem(option); });
  auto without = order;
  std::erase_if(without, [&](const auto& reference) {
    return std::ranges::find(plan.remove, reference, &BootOption::reference) != plan.remove.end();
  });
  plan.changesOrder = without != plan.order;
  return plan;
}

}  // namespace ingot::bmc::redfish
