// What a BMC may push: whole events come out, however the bytes were cut into pieces, and none is longer than allowed.
#include "bmc/redfish/event_stream.hpp"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace ingot::bmc::redfish;
  if (size == 0) return 0;
  const std::size_t piece = 1 + data[0] % 17;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  EventStream whole, cut;
  const auto atOnce = whole.take(bytes);
  std::vector<std::string> pieced;
  for (std::size_t at = 0; at < bytes.size(); at += piece)
    for (auto& event : cut.take(bytes.substr(at, piece))) pieced.push_back(std::move(event));
  if (atOnce != pieced) std::abort();
  for (const auto& event : pieced) {
    if (event.size() > EventStream::mostData) std::abort();
    static_cast<void>(kindOfEvent(event));
  }
  return 0;
}
