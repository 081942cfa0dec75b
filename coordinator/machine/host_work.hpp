// What is done to the hosts of machines through the API (spec/capm3.md §10-§12). Each write is guarded by the version
// of the host that it was decided on; before a host is told what to run, and before it is stopped, it is read again.
#pragma once

#include "coordinator/machine/host_pool.hpp"
#include "coordinator/machine/preconditions.hpp"
#include "kube/core/error.hpp"
#include "kube/core/secret.hpp"
#include "kube/runtime/draft.hpp"

#include <functional>
#include <map>

namespace ingot::coordinator::machine {

// An answer that the API gives to the same request again.
[[nodiscard]] bool isLasting(const kube::Error& error);

class HostWork {
 public:
  using HostDraft = kube::Draft<BareMetalHost>;
  using Snapshot = kube::Cache<BareMetalHost>::Snapshot;

  HostWork(kube::Client& client, kube::Cache<BareMetalHost>& hosts, kube::Cache<kube::Secret>& secrets)
      : client_(client), hosts_(hosts), secrets_(secrets) {}

  // As the cache has it; nullptr: there is none.
  [[nodiscard]] Snapshot find(const kube::ObjectKey& host) const { return hosts_.find(host); }
  // As the API has it; nullopt: there is none. One that cannot be read is an error (json::DecodeError).
  [[nodiscard]] base::Task<std::optional<BareMetalHost>> look(kube::ObjectKey host);
  // Whether it is there and names the machine as its consumer, as the API has it: also of one that cannot be read.
  // True where that cannot be told.
  [[nodiscard]] base::Task<bool> isClaimed(kube::ObjectKey host, const Metal3Machine& machine);
  [[nodiscard]] bool isUnreadable(const kube::ObjectKey& host) const { return hosts_.isUnreadable(host); }
  // What the cache holds is older than a write of ours.
  [[nodiscard]] bool isBehind(const kube::ObjectKey& host) const { return !hosts_.hasSeenOwnWrites(host); }

  enum class Claim : std::uint8_t { done, taken };
  // taken: somebody was faster, or the host does not fit any more (`stillFits`, asked of what the API has).
  [[nodiscard]] base::Task<Claim> claim(Snapshot host, const Metal3Machine& machine, const Machine& owner,
                                        std::function<bool(const BareMetalHost&)> stillFits);
  // Labels the Secret of the BMC's credentials with the Cluster. Throws MachineError(waiting) when there is none.
  [[nodiscard]] base::Task<void> labelSecret(const BareMetalHost& host, const std::string& clusterName);
  // As the cache has it.
  [[nodiscard]] bool isSecretLabelled(const BareMetalHost& host, const std::string& clusterName) const;
  [[nodiscard]] base::Task<void> unlabelSecret(const BareMetalHost& host, const std::string& clusterName);

  // Edits the host, if that changes anything; nothing is sent otherwise. The answer is the host afterwards, nullopt
  // when it is gone. With `confirm` the edit is made to what the API has now.
  using Edit = std::function<void(BareMetalHost&)>;
  [[nodiscard]] base::Task<std::optional<BareMetalHost>> edit(kube::ObjectKey host, Edit how, bool confirm);

 private:
  [[nodiscard]] base::Task<std::optional<HostDraft>> fresh(kube::ObjectKey host);
  [[nodiscard]] base::Task<kube::Cache<kube::Secret>::Snapshot> secretNow(kube::ObjectKey key);
  // False: the Secret is gone.
  [[nodiscard]] base::Task<bool> label(kube::ObjectKey secret, json::Value patch);

  kube::Client& client_;
  kube::Cache<BareMetalHost>& hosts_;
  kube::Cache<kube::Secret>& secrets_;
  // Versions of Secrets after our last write, "" when no answer told it. The cache is not told to expect them: the
  // host's controller would read ahead of what the agents see.
  std::map<kube::ObjectKey, std::string> labelled_;
};

}  // namespace ingot::coordinator::machine
