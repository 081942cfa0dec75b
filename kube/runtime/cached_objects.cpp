#include "kube/runtime/cached_objects.hpp"

namespace ingot::kube {
namespace {

constexpr std::size_t mostSamples = 12, mostSampleBytes = 3 << 10;  // of each

}  // namespace

CachedObjects::Object CachedObjects::find(const ObjectKey& key) const {
  const auto found = entries_.find(key);
  return found == entries_.end() ? nullptr : touch(found->second);
}

void CachedObjects::each(const std::optional<std::string>& namespace_,
                         const std::function<void(const Object&)>& visit) const {
  auto it = namespace_ ? entries_.lower_bound({*namespace_, ""}) : entries_.begin();
  for (; it != entries_.end() && (!namespace_ || it->first.namespace_ == *namespace_); ++it) visit(touch(it->second));
}

std::vector<ObjectKey> CachedObjects::keys(const std::string& namespace_) const {
  std::vector<ObjectKey> keys;
  for (const auto& [key, entry] : entries_)
    if (namespace_.empty() || key.namespace_ == namespace_) keys.push_back(key);
  return keys;
}

CachedObjects::Object CachedObjects::put(const ObjectKey& key, Object object) {
  auto [it, isNew] = entries_.try_emplace(key);
  Entry& entry = it->second;
  Object before;
  if (isNew) {
    keep(entry, std::move(object));
  } else {
    before = touch(entry);
    entry.object = std::move(object);
  }
  return before;
}

CachedObjects::Object CachedObjects::drop(const ObjectKey& key) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return nullptr;
  Object last = touch(found->second);
  byUse_.erase(found->second.place);
  entries_.erase(found);
  return last;
}

bool CachedObjects::packUntouchedSince(base::MonoTime time, std::size_t limit) {
  const auto anyCold = [&] { return !byUse_.empty() && byUse_.front()->touched < time; };
  for (; limit > 0 && anyCold(); --limit) {
    Entry& entry = *byUse_.front();
    auto cold = pack(entry.object);
    if (!cold) {  // not now; it has its turn again when it has been untouched for as long once more
      static_cast<void>(touch(entry));
      continue;
    }
    byUse_.pop_front();
    entry.cold = std::move(cold);
    entry.object.reset();
  }
  return anyCold();
}

const CachedObjects::Object& CachedObjects::touch(Entry& entry) const {
  if (entry.object) {
    byUse_.splice(byUse_.end(), byUse_, entry.place);
    entry.touched = clock_.now();
    return entry.object;
  }
  std::string room;
  Object object = codec_.decode(entry.cold->view(room));
  entry.cold.reset();
  keep(entry, std::move(object));
  return entry.object;
}

void CachedObjects::keep(Entry& entry, Object object) const {
  entry.object = std::move(object);
  entry.touched = clock_.now();
  entry.place = byUse_.insert(byUse_.end(), &entry);
}

// What somebody holds stays in memory anyway. Nothing but the text refers to what is packed: a weak pointer would keep
// the memory of the whole struct, which lies in one piece with its count.
std::unique_ptr<base::PackedText> CachedObjects::pack(const Object& object) {
  if (object.use_count() > 1) return nullptr;
  const auto text = codec_.encode(object.get());
  if (!text) return nullptr;
  learn(*text);
  if (!dictionary_.current()) return nullptr;
  auto cold = std::make_unique<base::PackedText>(*text);
  cold->pack(dictionary_.current());
  return cold;
}

void CachedObjects::learn(const std::string& text) {
  samples_.push_back(text.substr(0, mostSampleBytes));
  if (samples_.size() > mostSamples) samples_.pop_front();
  dictionary_.count();
  if (!dictionary_.wantsSamples()) return;
  std::string samples;
  for (const auto& sample : samples_) samples += sample;
  dictionary_.learn(samples);
}

}  // namespace ingot::kube
