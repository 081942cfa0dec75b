#include "coordinator/webhooks/address_watches.hpp"

#include "kube/core/undecoded.hpp"
#include "kube/runtime/watcher.hpp"

#include <algorithm>
#include <exception>

namespace ingot::coordinator::webhooks {
namespace {

constexpr base::Duration lookAgain = std::chrono::milliseconds(100);  // whether an interrupted watch goes on

}  // namespace

// One kind in one namespace.
class AddressWatches::OfKind final : public kube::WatchSink {
 public:
  OfKind(AddressWatches& all, const kube::KindInfo& kind, const std::string& namespace_)
      : all_(all),
        kind_(kind),
        watcher_(all.runtime_, all.api_, kube::Resource::of(kind), {.namespace_ = namespace_, .mayBeAbsent = true},
                 *this) {}

  [[nodiscard]] base::Task<void> run() { return watcher_.run(); }
  [[nodiscard]] const AddressesInUse& addresses() const { return addresses_; }
  [[nodiscard]] bool isKnown() const {
    return isAbsent_ || (isListed_ && watcher_.state() == kube::Watcher::State::watching);
  }

  void listStarted() override { listed_ = AddressesInUse(kind_); }
  void listed(json::Value object) override { listed_.put(object); }
  base::Task<void> listFinished(std::string) override {
    addresses_ = std::exchange(listed_, AddressesInUse(kind_));
    isListed_ = true;
    isAbsent_ = false;
    all_.changed_.notifyAll();
    co_return;
  }
  void changed(json::Value object) override { addresses_.put(object); }
  void deleted(json::Value object) override { addresses_.drop(kube::keyOf(object)); }
  void advanced(const std::string&) override {}
  void notServed(const kube::Unserved& unserved) override {
    isAbsent_ = unserved.why == kube::Unserved::Why::notInstalled;
    all_.changed_.notifyAll();
  }

 private:
  AddressWatches& all_;
  const kube::KindInfo& kind_;
  AddressesInUse addresses_{kind_}, listed_{kind_};
  bool isListed_ = false, isAbsent_ = false;
  kube::Watcher watcher_;
};

AddressWatches::AddressWatches(base::Runtime runtime, kube::Api& api, Limits limits)
    : runtime_(std::move(runtime)),
      api_(api),
      limits_(limits),
      changed_(runtime_.executor),
      tasks_(runtime_.executor, runtime_.log) {}

AddressWatches::~AddressWatches() = default;

bool AddressWatches::Watched::isKnown() const {
  return std::ranges::all_of(kinds, [](const auto& kind) { return kind->isKnown(); });
}

std::optional<std::vector<std::string>> AddressWatches::beyond(const kube::ObjectKey& pool,
                                                               const AddressBounds& bounds) {
  const auto at = watched_.find(pool.namespace_);
  if (at == watched_.end()) return std::nullopt;
  at->second.asked = runtime_.clock.now();
  if (!at->second.isKnown()) return std::nullopt;
  std::vector<std::string> out;
  for (const auto& kind : at->second.kinds)
    std::ranges::move(kind->addresses().beyond(pool, bounds), std::back_inserter(out));
  if (out.size() > kMostBeyond) out.resize(kMostBeyond);
  return out;
}

bool AddressWatches::watch(const std::string& namespace_) {
  if (watched_.contains(namespace_)) return true;
  if (watched_.size() >= limits_.namespaces) return false;
  Watched& fresh = watched_[namespace_];
  fresh.asked = runtime_.clock.now();
  for (const auto* kind : addressKinds()) fresh.kinds.push_back(std::make_unique<OfKind>(*this, *kind, namespace_));
  tasks_.spawn("addresses of " + namespace_, keep(namespace_));
  return true;
}

base::Task<void> AddressWatches::known(std::string namespace_) {
  for (auto at = watched_.find(namespace_); at != watched_.end(); at = watched_.find(namespace_)) {
    if (at->second.isKnown()) co_return;
    static_cast<void>(co_await changed_.waitUntil(runtime_.clock, runtime_.clock.now() + lookAgain));
  }
  throw base::Error("the addresses of namespace " + namespace_ + " are not watched any more");
}

base::Task<void> AddressWatches::keep(std::string namespace_) {
  const auto at = watched_.find(namespace_);
  base::TaskGroup watching(runtime_.executor, runtime_.log);
  for (const auto& kind : at->second.kinds) watching.spawn("watch addresses", kind->run());
  std::exception_ptr end;
  try {
    while (runtime_.clock.now() < at->second.asked + limits_.unused)
      co_await runtime_.clock.sleepUntil(at->second.asked + limits_.unused);
  } catch (...) {
    end = std::current_exception();
  }
  co_await watching.close();
  watched_.erase(at);
  if (end) std::rethrow_exception(end);
}

base::Task<void> AddressWatches::close() { co_await tasks_.close(); }

}  // namespace ingot::coordinator::webhooks
