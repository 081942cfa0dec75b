// The address of a BMC as users write it (spec/bmc.md §1.1, spec/ironic.md §4.1): one text, many forms.
//   redfish://10.0.0.1/redfish/v1/Systems/1   idrac-virtualmedia+http://bmc.example.com   10.0.0.1   [fe80::1]:6230
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace ingot::bmc {

// The schemes we know; `+http` and `+https` are not part of it.
enum class Scheme {
  ipmi,
  libvirt,  // IPMI of VirtualBMC
  redfish,
  ilo5Redfish,
  idracRedfish,
  redfishVirtualMedia,
  ilo5VirtualMedia,
  idracVirtualMedia,
  redfishUefiHttp,
};

enum class Protocol { ipmi, redfish };

// What machines behind an address of this scheme can do and need.
struct Traits {
  Protocol protocol;
  bool needsBootMac;  // nothing can be done without spec.bootMACAddress
  bool secureBoot;
  bool raid;                      // hardware RAID can be configured
  bool outOfBandInspection;       // inspectionMode: fast
  bool isoBoot;                   // boots ISO images (virtual media, UEFI HTTP)
  bool needsProvisioningNetwork;  // boots over PXE
};

[[nodiscard]] const Traits& traitsOf(Scheme scheme);
[[nodiscard]] std::string_view toText(Scheme scheme);  // "idrac-virtualmedia"

struct Address {
  Scheme scheme = Scheme::ipmi;
  std::string type;            // the scheme as written, in lower case: "redfish+http". For messages
  bool tls = true;             // Redfish: https unless +http
  std::string host;            // without brackets; may be empty: upstream lets that pass
  std::string port;            // as written; "" when not given
  std::string authority;       // host[:port] as URLs want it, IPv6 in brackets
  std::string path;            // decoded; "" or starting with '/'
  std::string privilegeLevel;  // IPMI; "ADMINISTRATOR" unless the address says otherwise

  [[nodiscard]] const Traits& traits() const { return traitsOf(scheme); }

  // Redfish: "https://10.0.0.1:8443", the base of every URL.
  [[nodiscard]] std::string baseUrl() const;
  // Redfish: the path of the ComputerSystem; "" when the address names none (then the only one is meant).
  [[nodiscard]] std::string systemPath() const;
  // IPMI: 623 unless given. 0 for a port that is none (upstream lets it pass).
  [[nodiscard]] std::uint16_t ipmiPort() const;
  [[nodiscard]] std::string ipmiPortText() const;
};

// what(): upstream's text for users.
class AddressError final : public base::Error {
 public:
  enum class Code { missing, malformed, invalidHost, unknownType };
  AddressError(Code code, const std::string& text) : Error(text), code_(code) {}
  [[nodiscard]] Code code() const { return code_; }

 private:
  Code code_;
};

// Throws AddressError.
[[nodiscard]] Address parseAddress(std::string_view text);

// Parses and checks the host name but not the type. Throws AddressError{malformed|invalidHost}.
void checkAddressHost(std::string_view text);

}  // namespace ingot::bmc
