// A BMC address as a user may write it.
#include "bmc/model/address.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace ingot;
  try {
    const auto address = bmc::parseAddress({reinterpret_cast<const char*>(data), size});
    static_cast<void>(address.baseUrl());
    static_cast<void>(address.systemPath());
    static_cast<void>(address.ipmiPort());
  } catch (const bmc::AddressError&) {
  }
  return 0;
}
