// What both versions of infrastructure.cluster.x-k8s.io have in common.
#pragma once

#include "json/describe.hpp"

#include <string_view>

namespace ingot::api::capm3 {

// The two address families of network data: routes differ in nothing but these.
struct Ipv4 {
  static constexpr std::string_view pattern =
      R"(^((([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])\.){3}([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5]))$)";
  static constexpr int prefixLimit = 32;
};

struct Ipv6 {
  static constexpr std::string_view pattern =
      R"(^(([0-9a-fA-F]{1,4}:){7,7}[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,7}:|([0-9a-fA-F]{1,4}:){1,6}:[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,5}(:[0-9a-fA-F]{1,4}){1,2}|([0-9a-fA-F]{1,4}:){1,4}(:[0-9a-fA-F]{1,4}){1,3}|([0-9a-fA-F]{1,4}:){1,3}(:[0-9a-fA-F]{1,4}){1,4}|([0-9a-fA-F]{1,4}:){1,2}(:[0-9a-fA-F]{1,4}){1,5}|[0-9a-fA-F]{1,4}:((:[0-9a-fA-F]{1,4}){1,6})|:((:[0-9a-fA-F]{1,4}){1,7}|:))$)";
  static constexpr int prefixLimit = 128;
};

// Either of them.
struct AnyIp {
  static constexpr std::string_view pattern =
      R"(((^((([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])\.){3}([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5]))$)|(^(([0-9a-fA-F]{1,4}:){7,7}[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,7}:|([0-9a-fA-F]{1,4}:){1,6}:[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,5}(:[0-9a-fA-F]{1,4}){1,2}|([0-9a-fA-F]{1,4}:){1,4}(:[0-9a-fA-F]{1,4}){1,3}|([0-9a-fA-F]{1,4}:){1,3}(:[0-9a-fA-F]{1,4}){1,4}|([0-9a-fA-F]{1,4}:){1,2}(:[0-9a-fA-F]{1,4}){1,5}|[0-9a-fA-F]{1,4}:((:[0-9a-fA-F]{1,4}){1,6})|:((:[0-9a-fA-F]{1,4}){1,7}|:))$)))";
};

inline constexpr std::string_view kDnsNamePattern =
    R"(^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$)";

// Objects whose names, labels and annotations a template may use.
inline json::FieldOptions& templateObject(json::FieldOptions&& field) {
  return field.oneOf({"machine", "metal3machine", "baremetalhost"})
      .doc("Object whose field is taken: machine, metal3machine or baremetalhost.");
}

inline json::FieldOptions& linkName(json::FieldOptions&& field) {
  return field.maxLength(15).pattern("^[a-zA-Z][a-zA-Z0-9._-]*$").doc("Name that the interface gets.");
}

inline json::FieldOptions& bondMode(json::FieldOptions&& field) {
  return field
      .oneOf({"balance-rr", "active-backup", "balance-xor", "broadcast", "balance-tlb", "balance-alb", "802.3ad"})
      .doc("Mode of the bond.");
}

inline json::FieldOptions& ethernetType(json::FieldOptions&& field) {
  return field.oneOf({"bridge", "dvs", "hw_veb", "hyperv", "ovs", "tap", "vhostuser", "vif", "phy"})
      .doc("Kind of the link.");
}

}  // namespace ingot::api::capm3
