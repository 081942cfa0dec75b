#include "bmc/model/address.hpp"

#include <catch2/catch.hpp>

using namespace ingot::bmc;

TEST_CASE("an address without scheme is an IPMI BMC", "[address]") {
  for (const char* text : {"192.168.122.1", "my.favoritebmc.com", "192.168.122.1:6233", "ipmi:192.168.122.1:6233",
                           "[fe80::fc33:62ff:fe83:8a76]:6233"}) {
    CAPTURE(text);
    CHECK(parseAddress(text).scheme == Scheme::ipmi);
  }
  CHECK(parseAddress("192.168.122.1:6233").ipmiPort() == 6233);
  CHECK(parseAddress("192.168.122.1").ipmiPort() == 623);
  CHECK(parseAddress("[fe80::1]:6233").host == "fe80::1");
}

TEST_CASE("a Redfish address gives a base URL and a system", "[address]") {
  struct Row {
    const char *text, *base, *system;
  };
  for (const Row& row : {Row{"redfish://10.0.0.1/redfish/v1/Systems/1", "https://10.0.0.1", "/redfish/v1/Systems/1"},
                         Row{"redfish+http://192.168.122.1/foo/bar", "http://192.168.122.1", "/foo/bar"},
                         Row{"redfish+https://192.168.122.1/", "https://192.168.122.1", ""},
                         Row{"redfish://192.168.122.1:8080/redfish/v1/", "https://192.168.122.1:8080", ""},
                         Row{"REDFISH://[fd00::1]:443/x/", "https://[fd00::1]:443", "/x/"},
                         Row{"redfish:192.168.122.1", "https://192.168.122.1", ""}}) {
    CAPTURE(row.text);
    const Address address = parseAddress(row.text);
    CHECK(address.baseUrl() == row.base);
    CHECK(address.systemPath() == row.system);
  }
}

TEST_CASE("what is no address says why", "[address]") {
  struct Row {
    const char* text;
    AddressError::Code code;
    const char* message;
  };
  using Code = AddressError::Code;
  for (const Row& row :
       {Row{"", Code::missing, "missing BMC address"},
        Row{"foo://10.0.0.1", Code::unknownType, "Unknown BMC type 'foo' for address foo://10.0.0.1"},
        Row{"bmc.example.com:623", Code::unknownType,
            "Unknown BMC type 'bmc.example.com' for address bmc.example.com:623"},
        Row{"my-.examplehost.com", Code::invalidHost,
            "failed to parse BMC address information: BMC address hostname/IP : [my-.examplehost.com] is invalid"},
        Row{"[fe80::1]", Code::malformed,
            "failed to parse BMC address information: parse \"[fe80::1]\": first path segment in URL cannot contain "
            "colon"}}) {
    CAPTURE(row.text);
    try {
      static_cast<void>(parseAddress(row.text));
      FAIL("accepted");
    } catch (const AddressError& error) {
      CHECK(error.code() == row.code);
      CHECK(std::string(error.what()) == row.message);
    }
  }
}

TEST_CASE("an IPMI address may carry a privilege level", "[address]") {
  CHECK(parseAddress("ipmi://10.0.0.1").privilegeLevel == "ADMINISTRATOR");
  CHECK(parseAddress("ipmi://10.0.0.1:623?privilegelevel=OPERATOR").privilegeLevel == "OPERATOR");
  CHECK(parseAddress("ipmi://10.0.0.1?privilegelevel=%zz").privilegeLevel == "ADMINISTRATOR");
}

TEST_CASE("traits follow the scheme, not the transport", "[address]") {
  CHECK(parseAddress("libvirt://10.0.0.1").traits().needsBootMac);
  CHECK(parseAddress("redfish-virtualmedia+http://h/x").traits().isoBoot);
  CHECK_FALSE(parseAddress("redfish-virtualmedia+http://h/x").tls);
  CHECK_FALSE(parseAddress("ipmi://h").traits().secureBoot);
  CHECK(toText(Scheme::idracVirtualMedia) == "idrac-virtualmedia");
}
