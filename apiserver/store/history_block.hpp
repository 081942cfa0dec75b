// Events that lie some way back, packed together: the states of a kind's objects differ in little, and those of one
// object in next to nothing. To read any of them all are unpacked, but only what is asked for is parsed.
#pragma once

#include "apiserver/store/object.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::apiserver {

// One durable change.
struct Event {
  Revision revision = 0;
  ObjectPtr previous;  // null: created
  ObjectPtr next;      // null: removed
  ObjectPtr last;      // removed: the last state with the revision of the removal

  [[nodiscard]] const ObjectKey& key() const { return (next ? next : previous)->key; }
};

class HistoryBlock {
 public:
  explicit HistoryBlock(std::span<const Event> events);  // oldest first, 1 … 10,000

  [[nodiscard]] std::size_t size() const { return marks_.size(); }
  [[nodiscard]] Revision last() const { return marks_.back().revision; }
  [[nodiscard]] std::size_t bytesHeld() const;

  class Reader;

 private:
  using Index = std::uint16_t;  // of a piece of text
  static constexpr Index none = UINT16_MAX;
  struct Mark {
    Revision revision = 0;
    Index key = none, previous = none, next = none, last = none;
  };
  std::vector<Mark> marks_;
  std::vector<std::uint32_t> lengths_;  // of the pieces, in order
  std::string packed_;
};

// A block laid open. Objects are made anew, with the same content.
class HistoryBlock::Reader {
 public:
  explicit Reader(const HistoryBlock& block);  // which outlives it
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  [[nodiscard]] std::size_t firstAfter(Revision revision) const;  // size() when there is none
  [[nodiscard]] Revision revision(std::size_t event) const { return block_.marks_[event].revision; }
  [[nodiscard]] ObjectKey key(std::size_t event) const;
  [[nodiscard]] std::string_view space(std::size_t event) const;  // namespace
  [[nodiscard]] std::size_t length(std::size_t event) const;      // of the text that a follower is sent
  [[nodiscard]] ObjectPtr previous(std::size_t event);
  [[nodiscard]] Event event(std::size_t event);

 private:
  [[nodiscard]] ObjectPtr object(Index index);

  const HistoryBlock& block_;
  std::string texts_;
  std::vector<std::string_view> pieces_;
  std::vector<ObjectPtr> made_;
};

}  // namespace ingot::apiserver
