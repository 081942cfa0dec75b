// An error body as a BMC may send it: always one printable line.
#include "bmc/redfish/error_body.hpp"

#include <algorithm>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto body = ingot::bmc::redfish::readErrorBody({reinterpret_cast<const char*>(data), size});
  const bool oneLine = std::ranges::none_of(body.detail, [](unsigned char c) { return c < 0x20; });
  if (body.detail.empty() || body.detail.size() > 300 || !oneLine) std::abort();
  return 0;
}
