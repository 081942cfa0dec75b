// Which interfaces of hosts are attached to a network (spec/baremetalhost.md §4.3).
#include "api/bmh/baremetalhost.hpp"
#include "api/metal3/admission.hpp"

#include <fmt/ranges.h>

namespace ingot::api {

AttachmentUsers usersIn(const BareMetalHost& host, const std::string& space, const std::string& name) {
  AttachmentUsers users;
  for (const auto& interface : host.spec.networkInterfaces) {
    const auto& attached = interface.hostNetworkAttachment;
    if (!attached || attached->name != name) continue;
    if ((attached->namespace_.empty() ? host.metadata.namespace_ : attached->namespace_) != space) continue;
    users.push_back(fmt::format("{}/{}[{}]", host.metadata.namespace_, host.metadata.name,
                                interface.name.empty() ? interface.macAddress : interface.name));
  }
  return users;
}

Verdict admitDelete(const AttachmentUsers& users) {
  if (users.empty()) return {};
  const std::string all = fmt::format("{}", fmt::join(users, ", "));
  return {.errors = {"cannot delete attachment while referenced by BMH interfaces: " + all},
          .warnings = {"This attachment is referenced by: " + all}};
}

}  // namespace ingot::api
