// What a cache holds, in order of namespace and name. Objects that nobody has read, changed or kept a snapshot of for a
// while may be kept as packed text, a tenth of the decoded struct; reading one decodes it again. While somebody holds a
// snapshot everybody gets the same one.
#pragma once

#include "base/clock.hpp"
#include "base/learning_dictionary.hpp"
#include "base/packed_text.hpp"
#include "kube/core/object_key.hpp"

#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::kube {

class CachedObjects {
 public:
  using Object = std::shared_ptr<const void>;
  struct TextCodec {
    std::function<std::optional<std::string>(const void*)> encode;  // nullopt: the text would not hold all of it
    std::function<Object(std::string_view)> decode;
  };

  CachedObjects(base::Clock& clock, TextCodec codec) : clock_(clock), codec_(std::move(codec)) {}

  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] std::size_t packed() const { return entries_.size() - byUse_.size(); }
  [[nodiscard]] Object find(const ObjectKey& key) const;  // nullptr: none
  // Of one namespace when given.
  void each(const std::optional<std::string>& namespace_, const std::function<void(const Object&)>& visit) const;
  [[nodiscard]] std::vector<ObjectKey> keys(const std::string& namespace_) const;  // "": all

  Object put(const ObjectKey& key, Object object);  // what was there before
  Object drop(const ObjectKey& key);                // what was there

  // Packs up to `limit` of those that were not touched since `time`, longest untouched first. True: there are more.
  bool packUntouchedSince(base::MonoTime time, std::size_t limit);

 private:
  struct Entry;
  using ByUse = std::list<Entry*>;
  struct Entry {
    Object object;                           // or …
    std::unique_ptr<base::PackedText> cold;  // … this
    base::MonoTime touched{};
    ByUse::iterator place;  // with `object`
  };

  const Object& touch(Entry& entry) const;
  void keep(Entry& entry, Object object) const;
  [[nodiscard]] std::unique_ptr<base::PackedText> pack(const Object& object);  // nullptr: not now
  void learn(const std::string& text);

  base::Clock& clock_;
  TextCodec codec_;
  mutable std::map<ObjectKey, Entry> entries_;
  mutable ByUse byUse_;  // those that are not packed, longest untouched first
  base::LearningDictionary dictionary_{std::make_shared<base::PackingMemory>()};
  std::deque<std::string> samples_;  // beginnings of the texts that were packed last
};

}  // namespace ingot::kube
