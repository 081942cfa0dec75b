#include "coordinator/host/lasting_trouble.hpp"

namespace ingot::coordinator::host {

bool LastingTrouble::noteFailure(const kube::ObjectKey& key, base::MonoTime now) {
  const base::MonoTime since = since_.try_emplace(key, now).first->second;
  return now - since >= worthTelling;
}

void showTrouble(api::BareMetalHost& host, const std::string& why) {
  if (host.status.errorType.empty()) host.status.errorMessage = why;
}

void clearTrouble(api::BareMetalHost& host) {
  if (host.status.errorType.empty()) host.status.errorMessage.clear();
}

}  // namespace ingot::coordinator::host
