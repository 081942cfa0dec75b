#include "tests/matrix/fault.hpp"

namespace ingot::tests::matrix {

std::string_view text(Fault fault) {
  switch (fault) {
    case Fault::killedBefore: return "coordinator killed before it";
    case Fault::killedAfter: return "coordinator killed after it";
    case Fault::answers500: return "answers 500";
    case Fault::answers503: return "answers 503";
    case Fault::answers409: return "answers 409";
    case Fault::brokenBefore: return "connection reset before it";
    case Fault::brokenAfter: return "connection reset after it";
    case Fault::late: return "answer too late";
    case Fault::agentLost: return "agent lost";
    case Fault::sweepsFail: return "the list of nodes is refused";
    case Fault::passwordRefused: return "BMC refuses the password";
    case Fault::bmcAnswers500: return "BMC answers 500";
    case Fault::bmcIgnoresResets: return "BMC ignores resets";
    case Fault::bmcHangs: return "BMC hangs";
  }
  return "";
}

std::vector<std::string_view> causes(Fault fault) {
  switch (fault) {
    case Fault::sweepsFail: return {"failed to list nodes"};  // of many hosts together it may last over a minute
    case Fault::passwordRefused: return {"refused the user name or password"};
    case Fault::bmcAnswers500: return {"HTTP 500", "is busy"};  // as Redfish, or IPMI, says it
    case Fault::bmcIgnoresResets:
      return {"accepted the command, but the host is not", "is still in its old power state",
              "later the BMC still says"};
    case Fault::bmcHangs: return {"no answer", "timed out", "timeout", "does not answer"};
    default: return {};
  }
}

}  // namespace ingot::tests::matrix
