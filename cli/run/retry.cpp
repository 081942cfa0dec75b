// ingotctl retry: clears what blocks a new attempt. Intent only, as everything here: the coordinator tries.
#include "api/capm3/host_link.hpp"
#include "cli/decide/retry_plan.hpp"
#include "cli/run/commands.hpp"
#include "cli/run/find.hpp"
#include "cli/run/pictures.hpp"

namespace ingot::cli {
namespace {

base::Task<void> retryHost(Session& session, api::BareMetalHost host) {
  const RetryPlan plan = planRetry(host, session.runtime.clock.wall());
  const kube::ObjectKey key = host.metadata.key();
  // The counters first: the change of the annotation is what wakes the coordinator.
  if (!plan.status.empty())
    static_cast<void>(co_await session.client.patchStatus<api::BareMetalHost>(key, plan.status));
  static_cast<void>(co_await session.client.patch<api::BareMetalHost>(key, plan.patch));
  session.terminal.say(fmt::format("host {}: {}", key.name, plan.said));
}

base::Task<void> retryMachine(Session& session, std::string name) {
  const MachinePicture picture = co_await pictureOfMachine(session, name);
  if (picture.machine.metadata.beingDeleted() && !picture.host)
    throw Failure(ExitCode::failed, fmt::format("machine {}: it is being deleted and has no host", name));
  if (picture.host) co_await retryHost(session, *picture.host);
  using api::capm3::v1beta2::Metal3Machine;
  static_cast<void>(co_await session.client.patch<Metal3Machine>(picture.machine.metadata.key(),
                                                                 retryPatch(session.runtime.clock.wall())));
  session.terminal.say(fmt::format("machine {}: tried anew", name));
}

}  // namespace

base::Task<ExitCode> run(Session& session, RetryCommand command) {
  ExitCode code = ExitCode::done;
  for (const std::string& name : command.names) {
    try {
      if (command.subject == Subject::hosts)
        co_await retryHost(session, co_await findHost(session, name));
      else
        co_await retryMachine(session, name);
    } catch (const base::Cancelled&) {
      throw;
    } catch (const base::Error& error) {
      code = together(code, session.report(error));
    }
  }
  co_return code;
}

}  // namespace ingot::cli
