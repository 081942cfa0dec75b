// The Secrets of a Metal3Data (spec/capm3.md §15.6): which are missing, and how they are made. Once one is there it is
// never written again; it counts whoever made it, unless something else controls it.
#pragma once

#include "coordinator/data/hindrance.hpp"
#include "coordinator/data/references.hpp"
#include "coordinator/data/secret_header.hpp"
#include "kube/core/secret.hpp"
#include "kube/runtime/cache.hpp"

namespace ingot::coordinator::data {

struct MissingSecrets {
  bool metaData = false, networkData = false;
  bool anyThere = false;  // one that is named is not missing

  [[nodiscard]] bool any() const { return metaData || networkData; }
};

class RenderedSecrets {
 public:
  // `headers`: the Secrets of type infrastructure.cluster.x-k8s.io/secret.
  RenderedSecrets(kube::Client& client, kube::Cache<SecretHeader>& headers) : client_(client), headers_(headers) {}

  // Of those that the data name. A Secret of another type is looked for only when `wasReady`: before that, making it
  // tells whether it is there. Throws Hindrance for one that something else controls.
  [[nodiscard]] base::Task<MissingSecrets> missingOf(Metal3Data data, bool wasReady);
  // One that has appeared meanwhile stays as it is. Throws Hindrance when it is refused, or something else's.
  [[nodiscard]] base::Task<void> create(kube::Secret secret, Metal3Data data);

 private:
  [[nodiscard]] base::Task<bool> isMissing(std::string name, Metal3Data data, bool wasReady);

  kube::Client& client_;
  kube::Cache<SecretHeader>& headers_;
};

// The names of the Secrets that the data name.
[[nodiscard]] std::vector<kube::ObjectKey> secretsNamedBy(const Metal3Data& data);

}  // namespace ingot::coordinator::data
