#include "coordinator/host/adoption.hpp"
#include "coordinator/host/power.hpp"
#include "coordinator/host/states/states.hpp"

namespace ingot::coordinator::host::states {
namespace {

// What runs there is the user's word from now on: it counts as deployed by us. Without an image or a method there is
// nothing that could stay, and the host is deprovisioned next.
void takeOver(api::BareMetalHost& host) {
  if (host.spec.image) host.status.provisioning.image = *host.spec.image;
  if (host.spec.customDeploy) host.status.provisioning.customDeploy = host.spec.customDeploy;
}

}  // namespace

// Somebody else deployed this host, so nothing but its power is managed.
base::Task<Step> externallyProvisioned(Scope& s) {
  if (!s.host.spec.externallyProvisioned) {
    takeOver(s.host);
    co_return Goto{State::provisioned};
  }
  if (auto wait = co_await ensureAdopted(s)) co_return *wait;
  co_return co_await managePower(s, State::externallyProvisioned);
}

}  // namespace ingot::coordinator::host::states
