// Agents that came here with their hosts obey the terms of where they come from: a leader with a later one must follow.
#pragma once

#include "api/agent/provisioning_agent.hpp"
#include "api/bmh/baremetalhost.hpp"
#include "api/bmh/carried_term.hpp"
#include "kube/runtime/cache.hpp"

#include <string>
#include <vector>

namespace ingot::coordinator::agents {

class LaterTerms {
 public:
  LaterTerms(const base::Runtime& runtime, kube::Cache<api::BareMetalHost>& hosts,
             kube::Cache<api::ProvisioningAgent>& agents, std::int64_t term, api::Carrying carrying);

  // Until cancelled. Throws base::Error when one is seen: a host that carries another installation's
  // (api::CarriedTerm), or an agent on record for a term that is not ours, whoever wrote it.
  [[nodiscard]] base::Task<void> run();

 private:
  void look(const kube::ObjectMeta& host);
  void look(const kube::ObjectMeta& agent, bool isNew);
  void tell(std::string what);

  std::int64_t term_;
  api::Carrying carrying_;
  base::Clock& clock_;
  std::string seen_;
  base::Notifier told_;
  std::vector<kube::Subscription> subscriptions_;
};

}  // namespace ingot::coordinator::agents
