// Which agents may hold a right to act, written into their objects before the first is granted: a finalizer, and the
// term in an annotation. So a coordinator that comes after us knows all of them, also those whose object was deleted
// while nobody led, and begins no term that they would take for an earlier one.
#pragma once

#include "api/agent/provisioning_agent.hpp"
#include "base/runtime.hpp"
#include "kube/client/client.hpp"
#include "kube/runtime/cache.hpp"

#include <functional>
#include <set>
#include <string>

namespace ingot::coordinator::agents {

inline constexpr std::string_view leasesFinalizer = "ingot.dev/leases";
inline constexpr std::string_view termAnnotation = "ingot.dev/term";

// The lowest term that every agent obeys which is on record here or serves a host that was moved here, whatever has
// become of the Lease (`lease`: its uid); 0: any. Asks the API, about hosts in `namespaces` only; empty: in all.
[[nodiscard]] base::Task<std::int64_t> leastTerm(kube::Client& client, std::string lease,
                                                 std::vector<std::string> namespaces);
// The term in its annotation; nullopt: none, or none of ours.
[[nodiscard]] std::optional<std::int64_t> recordedTerm(const kube::ObjectMeta& agent);

struct RecordNeed {
  bool wanted = false;   // it is to be given rights
  bool mayHold = false;  // it may have one now
};

enum class RecordMove { none, add, remove };
// For rights of `term`. `withdrawing`: a removal was sent, and it is not known that it failed.
[[nodiscard]] RecordMove recordMove(const api::ProvisioningAgent& agent, std::int64_t term, RecordNeed need,
                                    bool withdrawing);

class LeaseRecord {
 public:
  using Judge = std::function<RecordNeed(const api::ProvisioningAgent&)>;

  LeaseRecord(base::Runtime runtime, kube::Client& client, kube::Cache<api::ProvisioningAgent>& cache,
              std::int64_t term);

  // The agent's object names our term and its record is not being withdrawn, so the agent may be given rights.
  [[nodiscard]] bool holds(const api::ProvisioningAgent& agent) const;
  // Public keys of all agents on record.
  [[nodiscard]] std::set<std::string> keys() const;

  // Brings the objects in step; what fails is tried again at the next call. Asks `judge` right before each write.
  [[nodiscard]] base::Task<void> write(Judge judge);

 private:
  [[nodiscard]] base::Task<void> bringInStep(std::shared_ptr<const api::ProvisioningAgent> agent, RecordMove move);
  void warn(const std::string& agent, const char* error);

  base::Runtime runtime_;
  base::MonoTime warnAgainAt_{};
  kube::Client& client_;
  kube::Cache<api::ProvisioningAgent>& cache_;
  std::int64_t term_;
  std::set<kube::ObjectKey> withdrawing_;
  kube::Subscription subscription_;
};

}  // namespace ingot::coordinator::agents
