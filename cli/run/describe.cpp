// ingotctl describe, why, tree: what is known of an object, and why it is not further.
#include "api/hardwaredata/hardware_data.hpp"
#include "cli/run/commands.hpp"
#include "cli/run/find.hpp"
#include "cli/run/pictures.hpp"
#include "cli/show/description.hpp"
#include "cli/show/machine_description.hpp"
#include "cli/show/why_text.hpp"

#include <algorithm>
#include <iterator>

namespace ingot::cli {
namespace {

// HardwareData is the place for it; hosts of older controllers carry a copy in their status.
base::Task<std::optional<api::HardwareDetails>> hardwareOf(Reader& reader, const api::BareMetalHost& host) {
  const auto data = co_await reader.find<api::HardwareData>(host.metadata.key());
  if (data && data->spec.hardware) co_return data->spec.hardware;
  co_return host.status.hardware;
}

base::Task<std::string> hostDescription(Session& session, std::string name) {
  HostPicture picture{.host = co_await findHost(session, std::move(name))};
  Reader reader(session);
  picture.hardware = co_await hardwareOf(reader, picture.host);
  picture.events = co_await eventsOf(reader, "BareMetalHost", picture.host.metadata);
  co_return describeHost(picture, session.runtime.clock.wall());
}

base::Task<std::string> machineDescription(Session& session, std::string name) {
  const MachinePicture picture = co_await pictureOfMachine(session, std::move(name));
  Reader reader(session);
  auto events = co_await eventsOf(reader, "Metal3Machine", picture.machine.metadata);
  if (events) std::ranges::copy(picture.remediationEvents, std::back_inserter(*events));
  co_return describeMachine(picture, std::move(events), session.runtime.clock.wall());
}

base::Task<std::string> whyText(Session& session, Subject subject, std::string name) {
  const auto now = [&session] { return session.runtime.clock.wall(); };
  if (subject == Subject::hosts) co_return whyHost(co_await findHost(session, std::move(name)), now());
  co_return whyMachine(co_await pictureOfMachine(session, std::move(name)), now());
}

// Each that cannot be had is told, the others are shown, with `between` them.
base::Task<ExitCode> showEach(Session& session, std::vector<std::string> names, std::string_view between,
                              std::function<base::Task<std::string>(std::string)> textOf) {
  ExitCode code = ExitCode::done;
  bool first = true;
  for (const std::string& name : names) {
    try {
      const std::string text = co_await textOf(name);
      if (!std::exchange(first, false)) session.terminal.out(between);
      session.terminal.out(text);
    } catch (const base::Cancelled&) {
      throw;
    } catch (const base::Error& error) {
      code = together(code, session.report(error));
    }
  }
  co_return code;
}

}  // namespace

base::Task<ExitCode> run(Session& session, DescribeCommand command) {
  const bool isHost = command.subject == Subject::hosts;
  co_return co_await showEach(session, std::move(command.names), "\n\n", [&session, isHost](std::string name) {
    return isHost ? hostDescription(session, std::move(name)) : machineDescription(session, std::move(name));
  });
}

base::Task<ExitCode> run(Session& session, WhyCommand command) {
  const Subject subject = command.subject;
  co_return co_await showEach(session, std::move(command.names), "", [&session, subject](std::string name) {
    return whyText(session, subject, std::move(name));
  });
}

base::Task<ExitCode> run(Session& session, TreeCommand command) {
  const ClusterPicture picture = co_await pictureOfCluster(session, std::move(command.cluster));
  session.terminal.out(clusterTree(picture, session.runtime.clock.wall()));
  co_return ExitCode::done;
}

}  // namespace ingot::cli
