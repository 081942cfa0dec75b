#include "bmc/error.hpp"

namespace ingot::bmc {

std::string_view toText(Error::Code code) {
  switch (code) {
    case Error::Code::unreachable: return "unreachable";
    case Error::Code::timeout: return "timeout";
    case Error::Code::authenticationFailed: return "authentication-failed";
    case Error::Code::lockedOut: return "locked-out";
    case Error::Code::tls: return "tls";
    case Error::Code::busy: return "busy";
    case Error::Code::unsupported: return "unsupported";
    case Error::Code::refused: return "refused";
    case Error::Code::notPermitted: return "not-permitted";
    case Error::Code::outcomeUnknown: return "outcome-unknown";
    case Error::Code::notReached: return "not-reached";
    case Error::Code::ambiguousSystem: return "ambiguous-system";
    case Error::Code::protocol: return "protocol";
  }
  return "unknown";
}

}  // namespace ingot::bmc
