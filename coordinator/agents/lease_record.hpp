// Which agents may hold a right to act, written into their objects before the first is granted: a finalizer, and the
// term in an annotation. So a coordinator that comes after us knows all of them, also those whose object was deleted
// while nobody led, and begins no term that they would take for an earlier one.
#pragma once

#include "api/agent/provisioning_agent.hpp"
#include "api/bmh/carried_term.hpp"
#include "base/runtime.hpp"
#include "kube/client/client.hpp"
#include "kube/runtime/cache.hpp"

#include <functional>
#include <set>
#include <string>

namespace ingot::coordinator::agents {

inline constexpr std::string_view leasesFinalizer = "ingot.dev/leases";
inline constexpr std::string_view termAnnotation = "ingot.dev/term";
inline constexpr std::string_view keyAnnotation = "ingot.dev/coordinator-key";

struct LeastTermOptions {
  std::string lease;                         // the uid of what counts the terms
  std::vector<std::string> namespaces = {};  // of hosts; empty: all
  std::optional<api::TermSeal> seal = {};    // nullopt: no host has carried a term here
};
// The lowest term that every agent obeys which is on record here or serves a host that was moved here, whatever has
// become of the Lease; 0: any. Asks the API.
[[nodiscard]] base::Task<std::int64_t> leastTerm(kube::Client& client, base::WallTime now, LeastTermOptions options);
// The term in its annotation; nullopt: none, or none of ours. No term is above the seconds since 1970, which those of
// the embedded API are.
[[nodiscard]] std::optional<std::int64_t> recordedTerm(const kube::ObjectMeta& agent, base::WallTime now);
// The coordinator's key, as a fingerprint, that its record names; "": none.
[[nodiscard]] std::string recordedKey(const kube::ObjectMeta& agent);

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

  struct Rights {
    std::int64_t term = 0;
    std::string key;  // fingerprint of the coordinator's
  };
  LeaseRecord(base::Runtime runtime, kube::Client& client, kube::Cache<api::ProvisioningAgent>& cache, Rights rights);

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
  Rights rights_;
  std::set<kube::ObjectKey> withdrawing_;
  kube::Subscription subscription_;
};

}  // namespace ingot::coordinator::agents
