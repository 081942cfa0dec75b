// Claims for addresses that are to go and whose Metal3Data is gone: only our finalizer keeps them, and with them their
// address. They are what upstream leaves of pools that annotations name (spec/capm3.md §16.5), and what a request
// leaves that was carried out late.
#pragma once

#include "coordinator/data/claim_kinds.hpp"
#include "coordinator/data/gate.hpp"
#include "kube/runtime/index.hpp"
#include "kube/runtime/pass.hpp"

namespace ingot::coordinator::data {

template <class Claim>
class StrayClaims final : public kube::ObjectReconciler<Claim> {
 public:
  StrayClaims(kube::PassWorld<Claim> world, const Gate& gate, kube::Cache<Metal3Data>& data)
      : kube::ObjectReconciler<Claim>(std::move(world)), gate_(gate), data_(data) {}

  // It is to go and waits for us.
  [[nodiscard]] static bool isHeld(const Claim& claim);

 protected:
  [[nodiscard]] base::Task<kube::Next> run(kube::Pass<Claim>& claim) override;

 private:
  const Gate& gate_;
  kube::Cache<Metal3Data>& data_;
};

extern template class StrayClaims<IPClaim>;
extern template class StrayClaims<IPAddressClaim>;

}  // namespace ingot::coordinator::data
