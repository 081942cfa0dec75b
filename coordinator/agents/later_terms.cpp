#include "coordinator/agents/later_terms.hpp"

#include "coordinator/agents/lease_record.hpp"

namespace ingot::coordinator::agents {

LaterTerms::LaterTerms(const base::Runtime& runtime, kube::Cache<api::BareMetalHost>& hosts,
                       kube::Cache<api::ProvisioningAgent>& agents, std::int64_t term, api::Carrying carrying)
    : term_(term), carrying_(std::move(carrying)), clock_(runtime.clock), told_(runtime.executor) {
  subscriptions_.push_back(hosts.listen([this](const auto& change) {
    if (change.after) look(change.after->metadata);
  }));
  subscriptions_.push_back(agents.listen([this](const auto& change) {
    if (change.after) look(change.after->metadata, change.before == nullptr);
  }));
  for (const auto& host : hosts.all()) look(host->metadata);
  for (const auto& agent : agents.all()) look(agent->metadata, true);
}

base::Task<void> LaterTerms::run() {
  while (seen_.empty()) co_await told_.wait();
  throw base::Error(fmt::format("{}, and this is term {}: another leader begins above it", seen_, term_));
}

void LaterTerms::look(const kube::ObjectMeta& host) {
  if (const auto carried = carrying_.later(host))
    tell(fmt::format("BareMetalHost {} was moved here from where agents obey term {}", host.key().text(),
                     carried->term));
}

// We write our own term on agents that we have seen without it.
void LaterTerms::look(const kube::ObjectMeta& agent, bool isNew) {
  const auto term = recordedTerm(agent, clock_.wall());
  if (term && (*term > term_ || (isNew && *term == term_)))
    tell(fmt::format("ProvisioningAgent {} is on record for term {}", agent.name, *term));
}

void LaterTerms::tell(std::string what) {
  if (seen_.empty()) seen_ = std::move(what);
  told_.notifyAll();
}

}  // namespace ingot::coordinator::agents
