// The only place that names concrete types.
#include "coordinator/wiring.hpp"

#include "api/bmh/names.hpp"
#include "coordinator/host/controller.hpp"
#include "coordinator/host/fixture/fixture.hpp"
#include "coordinator/host/ironic/factory.hpp"

namespace ingot::coordinator {
namespace {

namespace ironic_backend = host::ironic_backend;

std::vector<std::string> namespacesOf(const Options& options) {
  if (options.namespace_.empty()) return {};
  return {options.namespace_};
}

std::unique_ptr<host::ProvisionerFactory> makeBackend(const Leadership& lead, base::TaskGroup& tasks) {
  if (lead.options.provisioner == Backend::fixture) return std::make_unique<host::FixtureFactory>();
  auto ironic = std::make_unique<ironic_backend::IronicFactory>(lead.runtime.named("ironic"), lead.transport,
                                                                ironic::settingsFrom(lead.environment),
                                                                ironic_backend::settingsFrom(lead.environment));
  tasks.spawn("ironic sweep", ironic->run());
  return ironic;
}

// Everything that lives as long as one term. Members are destroyed after their tasks have ended.
struct Term {
  Term(Leadership& lead, base::TaskGroup& tasks)
      : hosts(lead.runtime, lead.client.api(), {.namespaces = namespacesOf(lead.options)}),
        secrets(lead.runtime, lead.client.api(),
                {.namespaces = namespacesOf(lead.options),
                 .labelSelector = fmt::format("{}={}", api::label::environment, api::label::environmentBaremetal)}),
        hardware(lead.runtime, lead.client.api(), {.namespaces = namespacesOf(lead.options)}),
        events(lead.runtime.named("events"), lead.client,
               {.component = "metal3-baremetal-controller",
                .reportingComponent = "metal3.io/baremetal-controller",
                .reportingInstance = "ingot-coordinator"}),
        backend(makeBackend(lead, tasks)),
        metrics(lead.metrics),
        controller(lead.runtime, {lead.client, hosts, secrets, hardware, *backend, power, events, metrics,
                                  {.maxProvisioningRetries = lead.options.maxProvisioningRetries}}) {}

  void start(base::TaskGroup& tasks) {
    hosts.start(tasks);
    secrets.start(tasks);
    hardware.start(tasks);
    tasks.spawn("events", events.run());
  }

  kube::Cache<api::BareMetalHost> hosts;
  kube::Cache<kube::Secret> secrets;
  kube::Cache<api::HardwareData> hardware;
  kube::EventRecorder events;
  std::unique_ptr<host::ProvisionerFactory> backend;
  host::ProvisionerPower power;
  host::Metrics metrics;
  host::HostController controller;
};

}  // namespace

base::Task<void> runControllers(Leadership lead) {
  lead.runtime.log.info("leading", {{"term", lead.term}});
  base::TaskGroup tasks(lead.runtime.executor, lead.runtime.log);
  std::exception_ptr failure;
  std::unique_ptr<Term> term;
  try {
    term = std::make_unique<Term>(lead, tasks);
    term->start(tasks);
    co_await term->controller.run();
  } catch (...) {
    failure = std::current_exception();
  }
  co_await tasks.close();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace ingot::coordinator
