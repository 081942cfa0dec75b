// Bytes from a peer of the agent link: a message, an unknown kind, or CodecError, which repeats nothing of them; never
// anything else. What was understood means the same after it was written again.
#include "wire/codec.hpp"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace ingot;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    if (const auto message = wire::decode(bytes)) {
      const std::string written = wire::encode(*message);
      const auto again = wire::decode(written);
      if (!again || again->index() != message->index() || wire::encode(*again) != written) std::abort();
      if (wire::kindOf(*again) != wire::kindOf(*message)) std::abort();
    }
  } catch (const wire::CodecError& error) {
    if (size > 24 && std::string_view(error.what()).contains(bytes)) std::abort();
  }
  return 0;
}
