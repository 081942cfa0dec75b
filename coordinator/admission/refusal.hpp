// Refusals of admission as upstream's webhooks word them, so that users and tools see the same.
#pragma once

#include "api/verdict.hpp"
#include "apiserver/registry/status.hpp"
#include "kube/core/kind.hpp"

namespace ingot::coordinator {

// What is judged.
struct Subject {
  const kube::KindInfo& kind;
  std::string name;
};

// "baremetalhost.metal3.io", "validation.ippool.ipam.metal3.io": how upstream calls the webhook of a kind.
[[nodiscard]] std::string webhookOf(const kube::KindInfo& kind);

// The refusal as a kube-apiserver passes it on to the client.
[[nodiscard]] apiserver::Status deniedBy(const kube::KindInfo& kind, apiserver::Status refusal);

// What an answer of admission comes down to. The refusal is as a webhook answers it.
struct Ruling {
  std::optional<apiserver::Status> refusal;
  std::vector<std::string> warnings;
};
[[nodiscard]] Ruling rulingOf(const api::Verdict& verdict, const Subject& about);
// The 403 of a refused DELETE, which names the object.
[[nodiscard]] Ruling rulingOnDelete(const api::Verdict& verdict, const Subject& about);

}  // namespace ingot::coordinator
