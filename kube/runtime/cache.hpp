// Every object of one kind as the server has it, decoded, a moment behind. Reads cost nothing and never wait.
//   Cache<BareMetalHost> hosts{runtime, client.api(), {.namespaces = {"metal3"}}};
//   const auto subscription = hosts.listen([&](const auto& change) { queue.add(change.key); });
//   hosts.start(tasks);
//   co_await hosts.synced();
#pragma once

#include "kube/client/client.hpp"
#include "kube/runtime/cache_base.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ingot::kube {

template <Kind T>
class Cache final : public CacheBase {
 public:
  using Snapshot = std::shared_ptr<const T>;
  struct Change {
    ObjectKey key;
    Snapshot before, after;  // before == nullptr: new; after == nullptr: deleted
    bool backlog = false;    // part of the first list: was there before we looked
  };

  Cache(base::Runtime runtime, Api& api, CacheOptions options = {})
      : CacheBase(std::move(runtime), api, Resource::of(T::info), std::move(options), codec()) {}

  // nullptr when there is none (or not yet: see synced()).
  [[nodiscard]] Snapshot find(const ObjectKey& key) const { return cast(findObject(key)); }

  // In order of namespace and name; of one namespace when given.
  [[nodiscard]] std::vector<Snapshot> all(std::optional<std::string> namespace_ = std::nullopt) const {
    std::vector<Snapshot> out;
    eachObject(namespace_, [&](const std::shared_ptr<const void>& object) { out.push_back(cast(object)); });
    return out;
  }

  // Called on the loop thread for each change, after the cache holds it, until the subscription ends. What is there at
  // the time of the call is not told: call it before start(), or look at all() too.
  Subscription listen(std::function<void(const Change&)> listener) {
    return listenAny([listener = std::move(listener)](const AnyChange& c) {
      listener({c.key, cast(c.before), cast(c.after), c.backlog});
    });
  }

 private:
  // An object whose document must be kept is more than its struct.
  static std::optional<std::string> textOf(const T& object) {
    if (object.metadata.origin.document) return std::nullopt;
    return json::serialize(encodeObject(object));
  }
  static Snapshot cast(const std::shared_ptr<const void>& object) { return std::static_pointer_cast<const T>(object); }
  static ObjectCodec codec() {
    return {[](json::Value document) -> std::shared_ptr<const void> {
              return std::make_shared<const T>(decodeObject<T>(std::move(document)));
            },
            [](const void* object) -> const ObjectMeta& { return static_cast<const T*>(object)->metadata; },
            {[](const void* object) { return textOf(*static_cast<const T*>(object)); },
             [](std::string_view text) -> std::shared_ptr<const void> {
               return std::make_shared<const T>(decodeObject<T>(json::parse(text)));
             }}};
  }
};

}  // namespace ingot::kube
