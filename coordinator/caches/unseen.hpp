// Objects that no watch has shown yet: objects of two kinds may be seen in another order than they were made in.
#pragma once

#include "base/clock.hpp"
#include "kube/client/client.hpp"
#include "kube/core/error.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>

namespace ingot::coordinator {

template <kube::Kind T>
class Unseen {
 public:
  // Both outlive this.
  Unseen(base::Clock& clock, kube::Client& client) : clock_(clock), client_(client) {}

  // One that the cache does not show, as the API has it; with `uid` only that very one. That it is not there, or that
  // there are none at all, is remembered for half a minute: objects may name one that never comes.
  // Throws what kube::Client::get() does.
  [[nodiscard]] base::Task<std::optional<T>> find(kube::ObjectKey key, std::string uid = "") {
    const Asked asked{std::move(key), std::move(uid)};
    const auto now = clock_.now();
    const auto isOld = [now](const auto& one) { return now - one.second >= kRemembered; };
    if (now - clearedAt_ >= kRemembered) {  // not each time: there may be thousands
      std::erase_if(absent_, isOld);
      clearedAt_ = now;
    }
    if (const auto known = absent_.find(asked); known != absent_.end() && !isOld(*known)) co_return std::nullopt;
    std::optional<T> stored;
    try {
      stored = co_await client_.get<T>(asked.first);
    } catch (const kube::Error& error) {
      if (error.code() != kube::Error::Code::notFound) throw;  // the kind is not installed
    }
    if (stored && !asked.second.empty() && stored->metadata.uid != asked.second) stored.reset();
    if (!stored) absent_.insert_or_assign(asked, now);
    co_return stored;
  }

 private:
  static constexpr base::Duration kRemembered = std::chrono::seconds(30);
  using Asked = std::pair<kube::ObjectKey, std::string>;

  base::Clock& clock_;
  kube::Client& client_;
  std::map<Asked, base::MonoTime> absent_;  // since when
  base::MonoTime clearedAt_{};              // of what is too old
};

}  // namespace ingot::coordinator
