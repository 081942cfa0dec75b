// Who wants to be told, until he ends: a listener is registered for as long as the handle lives that add() returned.
//   Subscription subscription_ = hosts.listen([this](const auto& change) { wake(change.key); });
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>

namespace ingot::kube {

// Ends when it is destroyed. May outlive what it listens to.
class [[nodiscard]] Subscription {
 public:
  Subscription() = default;
  explicit Subscription(std::function<void()> end) : end_(std::move(end)) {}
  Subscription(Subscription&& other) noexcept : end_(std::exchange(other.end_, {})) {}
  Subscription& operator=(Subscription&& other) noexcept {
    if (this != &other) {
      end();
      end_ = std::exchange(other.end_, {});
    }
    return *this;
  }
  Subscription(const Subscription&) = delete;
  Subscription& operator=(const Subscription&) = delete;
  ~Subscription() { end(); }

  void end() {
    if (const auto end = std::exchange(end_, {})) end();
  }

 private:
  std::function<void()> end_;
};

// Told in the order of their registration. A listener may end its own or another subscription, or add one, while it is
// told: one that has ended is not told any more.
template <class Event>
class Listeners {
 public:
  using Listener = std::function<void(const Event&)>;

  Subscription add(Listener listener) {
    const std::uint64_t id = ++last_;
    all_->emplace(id, std::make_shared<const Listener>(std::move(listener)));
    return Subscription([weak = std::weak_ptr(all_), id] {
      if (const auto all = weak.lock()) all->erase(id);
    });
  }

  void tell(const Event& event) const {
    for (auto it = all_->begin(); it != all_->end();) {
      const auto id = it->first;
      const auto listener = it->second;  // it may end its own subscription
      (*listener)(event);
      it = all_->upper_bound(id);
    }
  }

  [[nodiscard]] std::size_t size() const { return all_->size(); }

 private:
  using All = std::map<std::uint64_t, std::shared_ptr<const Listener>>;
  std::shared_ptr<All> all_ = std::make_shared<All>();
  std::uint64_t last_ = 0;
};

}  // namespace ingot::kube
