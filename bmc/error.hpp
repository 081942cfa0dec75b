// Why a BMC did not do what was asked. Callers switch on the code; the text is for people and holds no secret.
#pragma once

#include "base/error.hpp"

namespace ingot::bmc {

class Error final : public base::Error {
 public:
  enum class Code {
    unreachable,           // no TCP or RMCP+ conversation at all
    timeout,               // it answers, but not in time
    authenticationFailed,  // it refused the user or the password (or the user's privilege)
    lockedOut,             // not asked: an earlier refusal still holds (spec/bmc.md §3 rule 9)
    tls,                   // its certificate is not trusted
    busy,                  // no session slot, booting, try again later
    unsupported,           // it does not know this command
    refused,               // it understood and declined
    notPermitted,          // our right to change this host ended before the request was sent
    outcomeUnknown,        // the request was sent and no answer came: it may have been carried out
    notReached,            // it accepted, and the state did not follow in time
    ambiguousSystem,       // several systems behind one BMC and the address names none
    protocol,              // an answer that is not IPMI or Redfish
  };

  // Whose word it is. What the governor says was not asked of the BMC, and tells nothing new of it.
  enum class Origin { bmc, governor };

  Error(Code code, const std::string& text, Origin origin = Origin::bmc)
      : base::Error(text), code_(code), origin_(origin) {}
  [[nodiscard]] Code code() const { return code_; }
  [[nodiscard]] Origin origin() const { return origin_; }

 private:
  Code code_;
  Origin origin_;
};

// The stable word of a code for logs, facts and metrics: "unreachable", "authentication-failed", …
[[nodiscard]] std::string_view toText(Error::Code code);

}  // namespace ingot::bmc
