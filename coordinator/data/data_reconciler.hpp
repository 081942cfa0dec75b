// One pass over a Metal3Data (spec/capm3.md §15.5, §15.6): addresses are claimed, the Secrets rendered once, and all of
// it given back when the claim is gone. A Metal3Data that we made costs one write of its own: its status when the
// Secrets are there.
#pragma once

#include "coordinator/data/address_claims.hpp"
#include "coordinator/data/gate.hpp"
#include "coordinator/data/rendered_secrets.hpp"
#include "coordinator/data/subjects.hpp"
#include "coordinator/data/troubles.hpp"

namespace ingot::coordinator::data {

struct DataWorld {
  const Gate& gate;
  kube::Cache<api::capi::Cluster>& clusters;
  kube::Cache<Metal3DataClaim>& claims;
  Subjects subjects;
  AddressClaims& addresses;
  RenderedSecrets& secrets;
};

class DataReconciler final : public kube::ObjectReconciler<Metal3Data> {
 public:
  DataReconciler(base::Runtime runtime, kube::PassWorld<Metal3Data> world, DataWorld data);

 private:
  base::Task<kube::Next> run(kube::Pass<Metal3Data>& data) override;
  void gone(const kube::ObjectKey& key) override;

  [[nodiscard]] base::Task<kube::Next> restWithCluster(kube::Pass<Metal3Data>& data);
  [[nodiscard]] base::Task<kube::Next> work(kube::Pass<Metal3Data>& data);
  // Throws Hindrance and RenderError.
  [[nodiscard]] base::Task<void> complete(kube::Pass<Metal3Data>& data);
  [[nodiscard]] base::Task<bool> isComplete(const Metal3Data& data);
  [[nodiscard]] base::Task<void> render(Metal3Data data, Subjects::Template dataTemplate, Subjects::MetalMachine metal,
                                        MissingSecrets missing);
  [[nodiscard]] base::Task<api::BareMetalHost> confirmed(Subjects::Host host, Subjects::MetalMachine metal);

  [[nodiscard]] base::Task<kube::Next> release(kube::Pass<Metal3Data>& data);
  [[nodiscard]] base::Task<bool> isClaimed(Metal3Data data);
  // Its machine has others.
  [[nodiscard]] base::Task<bool> isReplaced(Metal3Data data, Metal3DataClaim claim);

  base::Runtime runtime_;
  DataWorld data_;
  Troubles<Metal3Data> troubles_;
};

// An update worth a pass. Our own status write is none; one that takes `ready` away without a reason is somebody
// else's.
[[nodiscard]] bool mattersToData(const Metal3Data& before, const Metal3Data& after);

}  // namespace ingot::coordinator::data
