#include "bmc/redfish/resources.hpp"

#include "bmc/redfish/answers.hpp"

namespace ingot::bmc::redfish {

void shorten(ServiceRoot& root) {
  for (auto* text : {&root.redfishVersion, &root.vendor, &root.product, &root.uuid})
    if (*text && !isTarget(**text)) text->reset();
  const auto check = [](auto& link) {
    if (link && link->id && !isTarget(*link->id)) link.reset();
  };
  check(root.systems);
  for (auto* link : {&root.sessionService, &root.registries, &root.eventService, &root.updateService}) check(*link);
  if (root.links) check(root.links->sessions);
}

}  // namespace ingot::bmc::redfish
