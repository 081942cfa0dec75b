#include "coordinator/host/ironic/access.hpp"

#include "bmc/model/ip_literal.hpp"

#include <array>

namespace ingot::coordinator::host::ironic_backend {

namespace {

using bmc::Scheme;

constexpr Access overIpmi{.driver = "ipmi", .boot = "ipxe", .raid = "no-raid"};

constexpr Access overRedfish(std::string_view boot) {
  return {.driver = "redfish", .boot = boot, .firmware = "redfish", .raid = "redfish", .fastInspect = "redfish"};
}

// The idrac hardware type refuses the plain redfish inspect interface that upstream would set.
constexpr Access overIdrac(std::string_view boot) {
  return {.driver = "idrac",
          .boot = boot,
          .bios = "idrac-redfish",
          .firmware = "redfish",
          .management = "idrac-redfish",
          .power = "idrac-redfish",
          .raid = "idrac-redfish",
          .vendor = "idrac-redfish",
          .fastInspect = "idrac-redfish"};
}

constexpr Access redfishPxe = overRedfish("ipxe");
constexpr Access redfishMedia = overRedfish("redfish-virtual-media");
constexpr Access redfishHttps = overRedfish("redfish-https");
constexpr Access idracPxe = overIdrac("ipxe");
constexpr Access idracMedia = overIdrac("idrac-redfish-virtual-media");

constexpr std::array ownedKeys{"ipmi_address",      "ipmi_port",        "ipmi_username",     "ipmi_priv_level",
                               "ipmi_verify_ca",    "redfish_address",  "redfish_system_id", "redfish_username",
                               "redfish_verify_ca", "external_http_url"};

json::Object ipmiInfo(const bmc::Address& address, const Credentials& credentials, bool insecure) {
  json::Object out{{"ipmi_address", address.host},
                   {"ipmi_port", address.ipmiPortText()},
                   {"ipmi_username", credentials.username},
                   {"ipmi_password", credentials.password.reveal()},
                   {"ipmi_priv_level", address.privilegeLevel}};
  if (insecure) out["ipmi_verify_ca"] = false;
  return out;
}

json::Object redfishInfo(const bmc::Address& address, const Credentials& credentials, bool insecure) {
  json::Object out{{"redfish_address", address.baseUrl()},
                   {"redfish_username", credentials.username},
                   {"redfish_password", credentials.password.reveal()}};
  if (address.scheme == Scheme::redfishUefiHttp)
    out["redfish_system_id"] = address.path;  // upstream sends it even when there is none
  else if (const std::string system = address.systemPath(); !system.empty())
    out["redfish_system_id"] = system;
  if (insecure) out["redfish_verify_ca"] = false;
  return out;
}

}  // namespace

const Access& accessOf(bmc::Scheme scheme) {
  switch (scheme) {
    case Scheme::ipmi:
    case Scheme::libvirt: return overIpmi;
    case Scheme::redfish:
    case Scheme::ilo5Redfish: return redfishPxe;
    case Scheme::idracRedfish: return idracPxe;
    case Scheme::redfishVirtualMedia:
    case Scheme::ilo5VirtualMedia: return redfishMedia;
    case Scheme::idracVirtualMedia: return idracMedia;
    case Scheme::redfishUefiHttp: return redfishHttps;
  }
  return overIpmi;
}

bool emptiesDrives(std::string_view bootInterface) { return bootInterface.ends_with("virtual-media"); }

json::Object driverInfo(const bmc::Address& address, const Credentials& credentials,
                        bool disableCertificateVerification) {
  switch (address.traits().protocol) {
    case bmc::Protocol::ipmi: return ipmiInfo(address, credentials, disableCertificateVerification);
    case bmc::Protocol::redfish: return redfishInfo(address, credentials, disableCertificateVerification);
  }
  return {};
}

void addExternalUrl(json::Object& driverInfo, const bmc::Address& address, const Settings& settings) {
  if (!settings.externalUrlV6.empty() && bmc::isIpv6(address.host))
    driverInfo["external_http_url"] = settings.externalUrlV6;
}

bool accessDiffers(const json::Object& wanted, const json::Object& now) {
  for (const char* key : ownedKeys) {
    const json::Value* want = wanted.if_contains(key);
    const json::Value* have = now.if_contains(key);
    if ((want != nullptr) != (have != nullptr)) return true;
    if (want && !json::equal(*want, *have)) return true;
  }
  return false;
}

bool leadsElsewhere(const json::Object& wanted, const json::Object& now) {
  const auto machine = [](const json::Object& info) {
    const auto text = [&](std::string_view key) { return json::textAt(info, {key}); };
    const json::Value* port = info.if_contains("ipmi_port");
    const std::string ipmiPort =
        port != nullptr && port->is_int64() ? std::to_string(port->get_int64()) : text("ipmi_port");
    return std::array{text("ipmi_address"), ipmiPort, text("redfish_address"), text("redfish_system_id")};
  };
  const auto there = machine(now);
  const bool namesOne = !there[0].empty() || !there[2].empty();
  return namesOne && machine(wanted) != there;
}

std::string problemWith(const Credentials& credentials) {
  const std::string start = "Validation error with BMC credentials: Missing BMC connection detail";
  if (credentials.username.empty()) return start + " 'username' in credentials";
  if (credentials.password.empty()) return start + "s 'password' in credentials";
  return "";
}

std::string inspectInterface(const Access& access, bool fast) {
  return fast ? std::string(access.fastInspect) : "agent";
}

}  // namespace ingot::coordinator::host::ironic_backend
