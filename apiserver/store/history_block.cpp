#include "apiserver/store/history_block.hpp"

#include "base/compression.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace ingot::apiserver {
namespace {

// The name of a namespace never contains a slash.
constexpr char stroke = '/';

std::string textOf(const ObjectKey& key) { return key.space + stroke + key.name; }

}  // namespace

HistoryBlock::HistoryBlock(std::span<const Event> events) {
  std::string texts, room;
  const auto append = [&](std::string_view piece) {
    texts += piece;
    lengths_.push_back(static_cast<std::uint32_t>(piece.size()));
    return static_cast<Index>(lengths_.size() - 1);
  };
  std::map<ObjectKey, Index> keys;
  const auto indexOfKey = [&](const ObjectKey& key) {
    const auto [at, isNew] = keys.try_emplace(key, none);
    if (isNew) at->second = append(textOf(key));
    return at->second;
  };
  std::map<const Object*, Index> objects;  // what one event left behind is what the next one found
  const auto indexOf = [&](const ObjectPtr& object) {
    if (!object) return none;
    const auto [at, isNew] = objects.try_emplace(object.get(), none);
    if (isNew) at->second = append(object->body.view(room));
    return at->second;
  };
  marks_.reserve(events.size());
  for (const auto& event : events) {
    const Index key = indexOfKey(event.key()), previous = indexOf(event.previous);
    marks_.push_back({event.revision, key, previous, indexOf(event.next), indexOf(event.last)});
  }
  lengths_.shrink_to_fit();
  packed_ = base::compressed(texts);
}

std::size_t HistoryBlock::bytesHeld() const {
  return sizeof(*this) + packed_.size() + marks_.size() * sizeof(Mark) + lengths_.size() * sizeof(lengths_[0]);
}

HistoryBlock::Reader::Reader(const HistoryBlock& block)
    : block_(block),
      texts_(base::decompressed(block.packed_,
                                std::accumulate(block.lengths_.begin(), block.lengths_.end(), std::size_t{0}))),
      made_(block.lengths_.size()) {
  pieces_.reserve(block.lengths_.size());
  std::string_view rest = texts_;
  for (const auto length : block.lengths_) {
    pieces_.push_back(rest.substr(0, length));
    rest.remove_prefix(length);
  }
}

std::size_t HistoryBlock::Reader::firstAfter(Revision revision) const {
  const auto at = std::ranges::upper_bound(block_.marks_, revision, {}, &Mark::revision);
  return static_cast<std::size_t>(at - block_.marks_.begin());
}

ObjectKey HistoryBlock::Reader::key(std::size_t event) const {
  const std::string_view text = pieces_[block_.marks_[event].key];
  return {std::string(space(event)), std::string(text.substr(text.find(stroke) + 1))};
}

std::string_view HistoryBlock::Reader::space(std::size_t event) const {
  const std::string_view text = pieces_[block_.marks_[event].key];
  return text.substr(0, text.find(stroke));
}

std::size_t HistoryBlock::Reader::length(std::size_t event) const {
  const Mark& mark = block_.marks_[event];
  const Index shown = mark.next == none ? mark.last : mark.next;
  return shown == none ? 0 : pieces_[shown].size();
}

ObjectPtr HistoryBlock::Reader::previous(std::size_t event) { return object(block_.marks_[event].previous); }

Event HistoryBlock::Reader::event(std::size_t event) {
  const Mark& mark = block_.marks_[event];
  return {mark.revision, object(mark.previous), object(mark.next), object(mark.last)};
}

ObjectPtr HistoryBlock::Reader::object(Index index) {
  if (index == none) return nullptr;
  if (!made_[index]) made_[index] = makeObject(std::string(pieces_[index]));
  return made_[index];
}

}  // namespace ingot::apiserver
