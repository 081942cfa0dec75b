// ingotctl describe host
#include "api/hardwaredata/hardware_data.hpp"
#include "cli/run/commands.hpp"
#include "cli/run/find.hpp"
#include "cli/show/description.hpp"

namespace ingot::cli {
namespace {

// HardwareData is the place for it; hosts of older controllers carry a copy in their status.
base::Task<std::optional<api::HardwareDetails>> hardwareOf(Session& session, const api::BareMetalHost& host) {
  const auto data = co_await session.client.get<api::HardwareData>(host.metadata.key());
  if (data && data->spec.hardware) co_return data->spec.hardware;
  co_return host.status.hardware;
}

base::Task<std::vector<kube::Event>> eventsOf(Session& session, const api::BareMetalHost& host) {
  const auto& meta = host.metadata;
  co_return co_await session.client.list<kube::Event>(
      {.namespace_ = meta.namespace_,
       .fieldSelector = fmt::format("involvedObject.kind=BareMetalHost,involvedObject.name={},involvedObject.uid={}",
                                    meta.name, meta.uid)});
}

base::Task<HostPicture> pictureOf(Session& session, std::string name) {
  HostPicture picture{.host = co_await findHost(session, std::move(name))};
  picture.hardware = co_await hardwareOf(session, picture.host);
  picture.events = co_await eventsOf(session, picture.host);
  co_return picture;
}

}  // namespace

base::Task<ExitCode> run(Session& session, DescribeCommand command) {
  ExitCode code = ExitCode::done;
  bool first = true;
  for (const std::string& name : command.hosts) {
    try {
      const HostPicture picture = co_await pictureOf(session, name);
      if (!std::exchange(first, false)) session.terminal.out("\n\n");
      session.terminal.out(describeHost(picture, session.runtime.clock.wall()));
    } catch (const Failure& failure) {
      code = together(code, session.report(failure));
    }
  }
  co_return code;
}

}  // namespace ingot::cli
