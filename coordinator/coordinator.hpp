// A whole coordinator: the API it works in, who leads, and the controllers while it leads.
#pragma once

#include "api/kinds/kinds.hpp"
#include "apiserver/embedded.hpp"
#include "base/vital.hpp"
#include "coordinator/diagnostics/server.hpp"
#include "coordinator/endpoints.hpp"
#include "coordinator/managers/standby.hpp"
#include "coordinator/options.hpp"
#include "coordinator/readings/api.hpp"
#include "coordinator/shadow/shadow.hpp"
#include "coordinator/webhooks/listener.hpp"
#include "coordinator/webhooks/reach.hpp"
#include "coordinator/webhooks/self_made.hpp"
#include "coordinator/wiring.hpp"
#include "kube/client/config.hpp"
#include "kube/client/counted_transport.hpp"
#include "net/client.hpp"
#include "net/limited_transport.hpp"
#include "net/loopback.hpp"

namespace ingot::coordinator {

// What reaches in from outside of the process. All of it outlives the coordinator.
struct Surroundings {
  net::HttpTransport& transport;  // to Kubernetes and to Ironic
  kube::Environment environment;
  BindLink bindLink = wire::bindLink;   // for agents
  std::function<void()> ready = [] {};  // called once the API is reachable and the process may count as started
  apiserver::StoreOptions store = {};   // of the embedded API
  // The kinds that the embedded API serves from the start.
  std::function<std::vector<json::Object>()> crds = api::everyCrd;
};

class Coordinator {
 public:
  Coordinator(base::Runtime runtime, Options options, Surroundings around);
  ~Coordinator();

  // Works until cancelled, then gives up leadership within two seconds, answers webhooks for Options::shutdownDelay,
  // and drains within five seconds; it ends so, too, when it throws. Throws when it cannot start, has lost leadership,
  // a manager of Metal3 is back, or a part of it without which it would only look alive has failed.
  [[nodiscard]] base::Task<void> run();

  // For those who look in from the same process (tests, the demo): nullptr before the API is open.
  [[nodiscard]] kube::Client* client() { return client_.get(); }
  [[nodiscard]] apiserver::EmbeddedApi* embedded() { return api_.get(); }
  [[nodiscard]] const base::Metrics& metrics() const { return metrics_; }
  [[nodiscard]] const shadow::Shadow* shadow() const { return shadow_.get(); }  // nullptr: it is none
  [[nodiscard]] Readiness readiness() const;                                    // what /readyz says

 private:
  struct Leading;
  [[nodiscard]] base::Task<void> openApi();
  [[nodiscard]] base::Task<void> openEmbedded();
  [[nodiscard]] base::Task<void> work();
  [[nodiscard]] base::Task<void> workBeside(base::VitalTasks& serving);
  [[nodiscard]] base::Task<void> lead();
  [[nodiscard]] base::Task<void> follow();
  [[nodiscard]] base::Task<void> control(Leading leading);
  [[nodiscard]] base::Task<std::int64_t> leastTermOf(std::string lease) const;
  [[nodiscard]] std::unique_ptr<managers::Standby> standbyOf(kube::Client& client) const;
  void tellIdleFlags() const;
  void serveBeside();
  [[nodiscard]] base::Task<void> drain();
  [[nodiscard]] std::string obstacle() const;
  void showKinds();

  base::Runtime runtime_;
  Options options_;
  base::Metrics metrics_;
  std::unique_ptr<shadow::Shadow> shadow_;  // with --shadow, around everything that leaves this process
  Surroundings around_;
  net::Loopback inProcess_;
  kube::CountedTransport counted_{around_.transport, metrics_}, countedInProcess_{inProcess_, metrics_};
  std::unique_ptr<apiserver::EmbeddedApi> api_;
  std::optional<kube::ClusterConfig> cluster_;  // with somebody else's API
  std::unique_ptr<kube::Client> client_;
  std::unique_ptr<kube::Client> lookups_;  // of the webhooks: whoever reaches them must not delay the Lease's renewal
  // For who asks for metrics: strangers decide how much, and the Lease is renewed by the client above.
  net::LimitedTransport reviews_{runtime_.clock, counted_, net::RequestRate{.perSecond = 20, .burst = 30}};
  std::unique_ptr<kube::Client> reviewer_;
  std::unique_ptr<webhooks::SelfMadeCertificates> certificates_;  // nullptr: they come from files
  std::unique_ptr<webhooks::Listener> webhooks_;                  // of every replica, leading or not; nullptr: none
  std::unique_ptr<webhooks::Reach> reach_;                        // nullptr: nobody asks ours
  kube::ServedKinds kinds_;
  std::function<bool()> leads_;                 // empty: nobody can tell, or it does not
  const managers::Standby* standby_ = nullptr;  // while we lead beside what may be an installation of Metal3
  bool ready_ = false;
  readings::Api readings_;
  Endpoints endpoints_;
  std::unique_ptr<diagnostics::Server> diagnostics_;  // nullptr: none
};

}  // namespace ingot::coordinator
