// A protobuf body of the API server.
#include "apiserver/protobuf/decode.hpp"
#include "apiserver/registry/status.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  try {
    static_cast<void>(ingot::apiserver::decodeProtobuf({reinterpret_cast<const char*>(data), size}));
  } catch (const ingot::base::Error&) {
  }
  return 0;
}
