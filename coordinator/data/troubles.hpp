// What keeps an object from being completed, told once: in status.errorMessage and by an Event. What usually ends at
// once is told only after a while.
#pragma once

#include "base/clock.hpp"
#include "coordinator/data/hindrance.hpp"
#include "kube/runtime/pass.hpp"

#include <map>

namespace ingot::coordinator::data {

// At most 512 bytes, the most that the field takes, and whole characters.
[[nodiscard]] std::string cutForStatus(std::string text);

// Since when each key has been waiting, by the reason.
class Patience {
 public:
  // What is left of the time in which nobody is told; zero: it is over.
  [[nodiscard]] base::Duration left(const kube::ObjectKey& key, const std::string& reason, base::MonoTime now);
  void forget(const kube::ObjectKey& key) { since_.erase(key); }

 private:
  std::map<kube::ObjectKey, std::pair<std::string, base::MonoTime>> since_;
};

template <kube::Kind T>
class Troubles {
 public:
  explicit Troubles(base::Clock& clock) : clock_(clock) {}

  // Saves, and says when to look again. Whatever it is that hinders wakes the object when it ends; a late look is the
  // safety net.
  [[nodiscard]] base::Task<kube::Next> tell(kube::Pass<T>& object, Hindrance hindrance) {
    notReady(*object);
    const base::Duration left = hindrance.kind() == Hindrance::Kind::late
                                    ? patience_.left(object.key(), hindrance.reason(), clock_.now())
                                    : base::Duration{};
    const bool isTold = hindrance.kind() != Hindrance::Kind::wait && left == base::Duration{};
    if (isTold) show(object, hindrance);
    co_await object.save();
    if (left > base::Duration{}) co_return kube::Next::after(left);
    if (hindrance.kind() == Hindrance::Kind::problem) co_return kube::Next::withBackoff();
    co_return kube::Next::after(kSafetyNet);
  }

  // It is complete; the caller saves.
  void over(kube::Pass<T>& object) {
    object->status.errorMessage.clear();
    patience_.forget(object.key());
  }
  void forget(const kube::ObjectKey& key) { patience_.forget(key); }

 private:
  static constexpr base::Duration kSafetyNet = std::chrono::minutes(2);

  static void notReady(T& object) {
    if constexpr (requires { object.status.ready; })
      if (object.status.ready.value_or(false)) object.status.ready = false;
  }

  static void show(kube::Pass<T>& object, const Hindrance& hindrance) {
    std::string text = cutForStatus(hindrance.what());
    if (object->status.errorMessage == text) return;
    object.journal().warning(hindrance.reason(), hindrance.what());
    object->status.errorMessage = std::move(text);
  }

  base::Clock& clock_;
  Patience patience_;
};

}  // namespace ingot::coordinator::data
