#include "coordinator/host/left_behind_secrets.hpp"

#include "base/backoff.hpp"

namespace ingot::coordinator::host {
namespace {

// No event tells that an unreadable host is gone, so the Secrets are tried again and again. After a failure the pauses
// grow.
constexpr base::Backoff pauses{.first = std::chrono::seconds(30), .cap = std::chrono::minutes(10), .jitter = 0.2};

}  // namespace

LeftBehindSecrets::LeftBehindSecrets(base::Runtime runtime, MayBeNamedUnseen mayBeNamedUnseen, Release release)
    : runtime_(std::move(runtime)),
      mayBeNamedUnseen_(std::move(mayBeNamedUnseen)),
      release_(std::move(release)),
      noted_(runtime_.executor) {}

void LeftBehindSecrets::note(const kube::ObjectKey& secret) {
  byNamespace_[secret.namespace_].insert(secret.name);
  noted_.notifyAll();
}

base::Task<void> LeftBehindSecrets::run() {
  unsigned failures = 0;
  while (true) {
    while (byNamespace_.empty()) co_await noted_.wait();
    failures = co_await releaseDue() ? 0 : failures + 1;
    co_await runtime_.clock.sleepFor(pauses.delay(failures, runtime_.random));
  }
}

std::vector<std::string> LeftBehindSecrets::readableNamespaces() const {
  std::vector<std::string> readable;
  for (const auto& [namespace_, names] : byNamespace_)
    if (!mayBeNamedUnseen_(namespace_)) readable.push_back(namespace_);
  return readable;
}

// One request at a time. What cannot be released, or may not any more, is noted anew.
base::Task<bool> LeftBehindSecrets::releaseDue() {
  bool all = true;
  for (const std::string& namespace_ : readableNamespaces()) {
    const auto due = byNamespace_.extract(namespace_);
    for (const std::string& name : due.mapped()) {
      const kube::ObjectKey secret{namespace_, name};
      if (mayBeNamedUnseen_(namespace_)) {
        note(secret);
      } else if (!co_await isReleased(secret)) {
        note(secret);
        all = false;
      }
    }
  }
  co_return all;
}

base::Task<bool> LeftBehindSecrets::isReleased(kube::ObjectKey secret) {
  try {
    co_await release_(secret);
    co_return true;
  } catch (const base::Cancelled&) {
    throw;
  } catch (const std::exception& error) {
    runtime_.log.warn("a Secret that no host needs keeps its finalizer for now",
                      {{"secretName", secret.text()}, {"error", error.what()}});
  }
  co_return false;
}

}  // namespace ingot::coordinator::host
