#include "sim/ramdisk/host.hpp"

namespace ingot::sim::ramdisk {

Host::Host(base::Runtime runtime, net::HttpTransport& transport, Journal& journal, base::TaskGroup& tasks)
    : clients_(transport),
      ironic_(clients_),
      context_{runtime.named("ramdisk"), clients_, ironic_, journal, tasks, {}, {}} {}

Host::~Host() = default;

void Host::serveAt(std::string bootUrl, std::string callbackUrl) {
  context_.bootUrl = std::move(bootUrl);
  context_.callbackUrl = std::move(callbackUrl);
}

void Host::booted(Machine& machine, BootDevice from) {
  if (from != BootDevice::pxe && from != BootDevice::cd) return;
  auto agent = std::make_shared<Agent>(context_, machine, from);
  agents_[&machine] = agent;
  context_.tasks.spawn("ramdisk of " + machine.name(), agent->run());
}

void Host::stopped(Machine& machine) {
  const auto found = agents_.find(&machine);
  if (found == agents_.end()) return;
  const auto agent = std::move(found->second);
  agents_.erase(found);
  agent->end();
}

base::Task<void> Host::handle(net::ServerRequest request, net::Responder& out) {
  constexpr std::string_view prefix = "/agent/", api = "/v1/";
  auto path = request.path();
  net::HttpResponse response{.status = 404, .body = R"({"faultcode":"Client","faultstring":"no such agent"})"};
  if (path.starts_with(prefix)) {
    path.remove_prefix(prefix.size());
    const auto end = std::min(path.find('/'), path.size());
    auto* agent = find(path.substr(0, end));
    path.remove_prefix(end);
    if (agent && path.starts_with(api)) response = agent->handle(request, path.substr(api.size()));
  }
  response.headers.set("Content-Type", "application/json");
  co_await out.send(std::move(response));
}

Agent* Host::find(std::string_view nodeUuid) const {
  for (const auto& [machine, agent] : agents_)
    if (!nodeUuid.empty() && agent->nodeUuid() == nodeUuid) return agent.get();
  return nullptr;
}

}  // namespace ingot::sim::ramdisk
