// Secrets that bear our finalizer although no host that can be read needs them. A host that cannot be read may need
// one, so nothing of its namespace is released until it can be read or is gone. A failure of the API is retried, in
// growing pauses. No host's pass waits for any of this.
#pragma once

#include "base/runtime.hpp"
#include "base/sync.hpp"
#include "kube/core/object_key.hpp"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ingot::coordinator::host {

class LeftBehindSecrets {
 public:
  using MayBeNamedUnseen = std::function<bool(const std::string& namespace_)>;
  // Takes the finalizer off, unless a host needs the Secret by now. What it throws is tried again.
  using Release = std::function<base::Task<void>(kube::ObjectKey secret)>;

  LeftBehindSecrets(base::Runtime runtime, MayBeNamedUnseen mayBeNamedUnseen, Release release);

  void note(const kube::ObjectKey& secret);

  // Works until cancelled.
  [[nodiscard]] base::Task<void> run();

 private:
  [[nodiscard]] base::Task<bool> releaseDue();  // false: some could not be released
  [[nodiscard]] base::Task<bool> isReleased(kube::ObjectKey secret);
  [[nodiscard]] std::vector<std::string> readableNamespaces() const;

  base::Runtime runtime_;
  MayBeNamedUnseen mayBeNamedUnseen_;
  Release release_;
  std::map<std::string, std::set<std::string>> byNamespace_;
  base::Notifier noted_;
};

}  // namespace ingot::coordinator::host
