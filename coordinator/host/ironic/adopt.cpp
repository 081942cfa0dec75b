#include "coordinator/host/ironic/adopt.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::host::ironic_backend {

using ironic::State;
using ironic::Verb;

Plan planAdoption(const ironic::Node& node, std::string_view hostState, bool restartOnFailure) {
  switch (node.state()) {
    case State::enroll:
    case State::verifying: return Plan::giveUp(fmt::format("invalid state for adopt: {}", node.provisionState.text()));
    case State::manageable:
      if (hostState == "deprovisioning") return Plan::complete();  // it is cleaned from here
      return Plan::send(Verb::adopt);
    case State::adopting: return Plan::wait(Pause::brief);
    case State::adoptFailed:
      if (restartOnFailure) return Plan::send(Verb::adopt);
      return Plan::fail(fmt::format("Host adoption failed: {}", node.lastError));
    case State::active:
      if (node.maintenance && node.fault.empty() && hostState != "deleting")
        return Plan::just(Plan::Kind::clearMaintenance);
      return Plan::complete();
    default: return Plan::complete();
  }
}

base::Task<Result> adopt(Session& session, std::string hostState, bool restartOnFailure) {
  const NodePtr node = co_await session.node();
  const Sent sent = co_await session.carryOut(planAdoption(*node, hostState, restartOnFailure), node);
  co_return sent.result;
}

}  // namespace ingot::coordinator::host::ironic_backend
