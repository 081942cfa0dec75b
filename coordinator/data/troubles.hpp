// What keeps an object from being completed, told once: in status.errorMessage and by an Event. What usually ends at
// once is told only after a while.
#pragma once

#include "base/clock.hpp"
#include "coordinator/caches/lasting_errors.hpp"
#include "coordinator/data/gate.hpp"
#include "coordinator/data/hindrance.hpp"
#include "kube/runtime/pass.hpp"

#include <fmt/format.h>

#include <map>

namespace ingot::coordinator::data {

// At most 512 bytes, the most that the field takes, and whole characters.
[[nodiscard]] std::string cutForStatus(std::string text);

// Since when each key has been waiting, by the reason.
class Patience {
 public:
  struct Look {
    base::Duration left{};   // of the time in which nobody is told; zero: it is over
    bool isAnother = false;  // what was known to hinder before is over
    friend bool operator==(const Look&, const Look&) = default;
  };
  Look note(const kube::ObjectKey& key, const std::string& reason, base::MonoTime now);
  void forget(const kube::ObjectKey& key) { since_.erase(key); }

 private:
  std::map<kube::ObjectKey, std::pair<std::string, base::MonoTime>> since_;
};

template <kube::Kind T>
class Troubles {
 public:
  explicit Troubles(base::Clock& clock) : clock_(clock) {}

  // The work of one pass. An error of the API that goes on is told beside its retries, until a pass ends without one.
  [[nodiscard]] base::Task<kube::Next> watch(kube::Pass<T>& object, base::Task<kube::Next> work) {
    std::optional<kube::Error> failure;
    try {
      const kube::Next next = co_await std::move(work);
      errors_.over(object.key());
      if (!saysApiFails(*object)) co_return next;
      object->status.errorMessage.clear();
      co_await object.save();
      co_return next;
    } catch (const kube::Error& error) {
      failure = error;
    }
    const auto text =
        isFailure(*failure) ? errors_.tell(object->metadata, "pass", failure->what(), clock_.now()) : std::nullopt;
    if (text) {
      dropEdits(object);
      show(object, Hindrance::problem("ApiFails", fmt::format("{}{}", kApiFails, *text)));
      co_await object.save();
    }
    throw kube::Error(*failure);
  }

  // The object rests, and nobody tries what the API failed (docs/decisions/0045).
  [[nodiscard]] base::Task<void> retractFailure(kube::Pass<T>& object) {
    errors_.over(object.key());
    if (!saysApiFails(*object)) co_return;
    over(object);
    co_await object.save();
  }

  // The object rests, and this text of it is not true any more.
  [[nodiscard]] base::Task<void> retract(kube::Pass<T>& object, std::string text) {
    if (object->status.errorMessage != cutForStatus(std::move(text))) co_return;
    over(object);
    co_await object.save();
  }

  // Saves, and says when to look again. Whatever it is that hinders wakes the object when it ends; a late look is the
  // safety net.
  [[nodiscard]] base::Task<kube::Next> tell(kube::Pass<T>& object, Hindrance hindrance) {
    notReady(*object);
    const Patience::Look look = patience_.note(object.key(), hindrance.reason(), clock_.now());
    const bool isWait = hindrance.kind() == Hindrance::Kind::wait;
    const base::Duration left = hindrance.kind() == Hindrance::Kind::late ? look.left : base::Duration{};
    if (!isWait && left == base::Duration{}) show(object, hindrance);
    if (isWait || (left > base::Duration{} && (look.isAnother || saysApiFails(*object))))
      object->status.errorMessage.clear();
    co_await object.save();
    if (left > base::Duration{}) co_return kube::Next::after(left);
    if (hindrance.kind() == Hindrance::Kind::problem) co_return kube::Next::withBackoff();
    co_return kube::Next::after(kSafetyNet);
  }

  // A deletion waits for somebody who still uses the object. After a while one Event says so, one for each reason.
  [[nodiscard]] base::Task<kube::Next> tellWait(kube::Pass<T>& object, std::string reason, std::string text) {
    const base::Duration left = patience_.note(object.key(), reason, clock_.now()).left;
    if (left > base::Duration{}) co_return kube::Next::after(left);
    Told told{object->metadata.uid, reason};
    if (told_[object.key()] != told) {
      object.journal().event(std::move(reason), std::move(text));
      object.journal().onceSaved([this, key = object.key(), told] { told_.insert_or_assign(key, told); });
    }
    co_await object.save();
    co_return kube::Next::after(kLookAgain);
  }

  // It is complete; the caller saves.
  void over(kube::Pass<T>& object) {
    object->status.errorMessage.clear();
    patience_.forget(object.key());
  }
  void forget(const kube::ObjectKey& key) {
    patience_.forget(key);
    errors_.over(key);
    told_.erase(key);
  }

 private:
  static constexpr base::Duration kSafetyNet = std::chrono::minutes(2);
  using Told = std::pair<std::string, std::string>;  // uid of the object, reason

  static bool saysApiFails(const T& object) { return object.status.errorMessage.starts_with(kApiFails); }

  static void notReady(T& object) {
    if constexpr (requires { object.status.ready; })
      if (object.status.ready.value_or(false) && !object.metadata.beingDeleted()) object.status.ready = false;
  }

  static void show(kube::Pass<T>& object, const Hindrance& hindrance) {
    std::string text = cutForStatus(hindrance.what());
    if (object->status.errorMessage == text) return;
    object.journal().warning(hindrance.reason(), hindrance.what());
    object->status.errorMessage = std::move(text);
  }

  base::Clock& clock_;
  Patience patience_;
  LastingErrors errors_;
  std::map<kube::ObjectKey, Told> told_;  // objects whose deletion waits
};

}  // namespace ingot::coordinator::data
