// Errors of the API that have gone on for a minute, by object: what is told of them (docs/decisions/0045).
#pragma once

#include "base/clock.hpp"
#include "kube/core/error.hpp"
#include "kube/core/object_meta.hpp"
#include "kube/runtime/pass.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace ingot::coordinator {

// An outage that is over sooner is nobody's business.
inline constexpr base::Duration kErrorWait = std::chrono::minutes(1);
// An error that reads differently each time is told in other words no sooner.
inline constexpr base::Duration kOtherWords = std::chrono::minutes(5);
inline constexpr std::size_t kLongestError = 1024;

class LastingErrors {
 public:
  // One more pass over the object in a row fails, at this step. What there is to tell of it: what was told before while
  // that is fresh, so that nothing is written anew. nullopt: nothing yet.
  [[nodiscard]] std::optional<std::string> tell(const kube::ObjectMeta& object, std::string_view step,
                                                std::string_view error, base::MonoTime now,
                                                base::Duration wait = kErrorWait);
  // For Events: nullopt also for what was told before. `wait`: none for what is refused, which is told at once.
  [[nodiscard]] std::optional<std::string> tellNews(const kube::ObjectMeta& object, std::string_view error,
                                                    base::MonoTime now, base::Duration wait = kErrorWait);
  // A pass came to its end, or the object is gone.
  void over(const kube::ObjectKey& object) { errors_.erase(object); }

 private:
  struct Lasting {
    std::string uid;  // of the object: its successor of the same name begins anew
    base::MonoTime since{};
    base::MonoTime told{};
    std::string_view step = {};  // where it was told; empty: it was not
    std::string text = {};
  };
  std::map<kube::ObjectKey, Lasting> errors_;
};

// Whether an object should say so some time: after a conflict the next pass decides on what is there by then.
[[nodiscard]] inline bool isFailure(const kube::Error& error) { return error.code() != kube::Error::Code::conflict; }

// Begins what is told of an API that fails.
inline constexpr std::string_view kApiFails = "the API fails: ";

// Of kinds whose status has no place for it: an Event on the object, once in the same words.
template <kube::Kind T>
class LastingErrorEvents {
 public:
  // Both outlive this.
  LastingErrorEvents(base::Clock& clock, kube::EventRecorder& events) : clock_(clock), events_(events) {}

  // The work of one pass.
  [[nodiscard]] base::Task<kube::Next> watch(kube::Pass<T>& object, base::Task<kube::Next> work) {
    try {
      const kube::Next next = co_await std::move(work);
      over(object.key());
      co_return next;
    } catch (const kube::Error& error) {
      if (isFailure(error)) note(object.draft().before(), error);
      throw;
    }
  }
  // The object is gone.
  void over(const kube::ObjectKey& object) { errors_.over(object); }

 private:
  void note(const T& object, const kube::Error& error) {
    if (const auto text = errors_.tellNews(object.metadata, error.what(), clock_.now()))
      events_.warning(kube::referenceTo(object), "ApiFails", std::string(kApiFails) + *text);
  }

  base::Clock& clock_;
  kube::EventRecorder& events_;
  LastingErrors errors_;
};

// The pass failed: its edits, and what was to be told with them, are given up.
template <kube::Kind T>
void dropEdits(kube::Pass<T>& pass) {
  pass.draft().rebase(T(pass.draft().before()));
  pass.journal() = {};
}

}  // namespace ingot::coordinator
