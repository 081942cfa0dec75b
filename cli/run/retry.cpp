// ingotctl retry: clears what blocks a new attempt. Intent only, as everything here: the coordinator tries.
#include "cli/decide/retry_plan.hpp"
#include "cli/run/commands.hpp"
#include "cli/run/each.hpp"
#include "cli/run/find.hpp"
#include "cli/run/pictures.hpp"
#include "cli/run/refused_claims.hpp"
#include "kube/core/error.hpp"

namespace ingot::cli {
namespace {

void tell(Session& session, const std::string& what, const RetryPlan& plan) {
  session.terminal.say(fmt::format("{}: {}", what, plan.said));
  for (const auto& note : plan.notes) session.terminal.note(fmt::format("{}: {}", what, note));
}

// Who may write hosts may not write their status everywhere: then the counts stay, and the attempt is made all the
// same.
base::Task<void> resetCounts(Session& session, api::BareMetalHost host, RetryPlan& plan) {
  if (plan.status.empty()) co_return;
  try {
    static_cast<void>(co_await session.client.patchStatus<api::BareMetalHost>(host.metadata.key(), plan.status));
  } catch (const kube::Error& error) {
    if (error.code() != kube::Error::Code::forbidden) throw;
    host.status.provisioningFailCount = host.status.errorCount = 0;
    plan = planRetry(host, session.runtime.clock.wall());
    plan.notes.push_back(fmt::format("its counts of failures stay: {}", error.what()));
  }
}

base::Task<void> retryHost(Session& session, api::BareMetalHost host) {
  RetryPlan plan = planRetry(host, session.runtime.clock.wall());
  const kube::ObjectKey key = host.metadata.key();
  // The counters first: the change of the annotation is what wakes the coordinator.
  co_await resetCounts(session, std::move(host), plan);
  static_cast<void>(co_await session.client.patch<api::BareMetalHost>(key, plan.patch));
  tell(session, "host " + key.name, plan);
}

base::Task<void> retryMachine(Session& session, std::string name) {
  const MachinePicture picture = co_await pictureOfMachine(session, name);
  const RetryPlan plan = planRetry(picture, session.runtime.clock.wall());
  const std::string what = "machine " + name;
  if (!plan.refusal.empty()) throw Failure(ExitCode::failed, fmt::format("{}: {}", what, plan.refusal));
  if (isItsHost(picture)) co_await retryHost(session, *picture.host);
  co_await clearRefusals(session, picture);
  using api::capm3::v1beta2::Metal3Machine;
  static_cast<void>(co_await session.client.patch<Metal3Machine>(picture.machine.metadata.key(), plan.patch));
  if (plan.remediation) {
    using api::capm3::v1beta2::Metal3Remediation;
    static_cast<void>(
        co_await session.client.remove<Metal3Remediation>(plan.remediation->key(), {.uid = plan.remediation->uid}));
  }
  tell(session, what, plan);
}

base::Task<void> retryOne(Session& session, Subject subject, std::string name) {
  if (subject == Subject::hosts)
    co_await retryHost(session, co_await findHost(session, name));
  else
    co_await retryMachine(session, name);
}

}  // namespace

base::Task<ExitCode> run(Session& session, RetryCommand command) {
  co_return co_await forEach(session, command.names, [&session, subject = command.subject](const std::string& name) {
    return retryOne(session, subject, name);
  });
}

}  // namespace ingot::cli
