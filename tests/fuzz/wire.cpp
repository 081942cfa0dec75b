// Bytes from a peer of the agent link: a message, an unknown kind, or CodecError; never anything else.
#include "wire/codec.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace ingot;
  try {
    if (const auto message = wire::decode({reinterpret_cast<const char*>(data), size})) {
      const auto again = wire::decode(wire::encode(*message));
      if (!again || again->index() != message->index()) std::abort();
    }
  } catch (const wire::CodecError&) {
  }
  return 0;
}
