// The recent past of every kind, bounded: what watches resume from and old list pages are rebuilt with.
#pragma once

#include "apiserver/store/history_block.hpp"
#include "base/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::apiserver {

// Bytes are those that are held: of packed events what they take packed, of others their texts.
struct HistoryLimits {
  base::Duration keep = std::chrono::seconds(60);  // whatever is younger stays, for watchers that come back …
  std::size_t bytes = 8u << 20;                    // … and older events as long as they take no more than this
  std::size_t mostBytes = 128u << 20;              // past these even young ones go
  std::size_t mostEvents = 64'000;                 // a minute of a thousand writes a second
};

// Which events a follower wants next.
struct EventQuery {
  Revision after = 0;
  std::size_t events = SIZE_MAX;  // at most
  std::size_t bytes = SIZE_MAX;   // of their bodies: none is begun past that
  std::string_view space;         // of this namespace only; empty: all
};
struct Stretch {
  std::vector<Event> events;  // oldest first
  Revision through = 0;       // there is nothing else for the follower up to here
};

// All but the newest events of a kind are kept packed, in blocks that one turn of the loop can lay open.
//
// When events must go, the oldest of the kind that takes most room go first, so that a busy kind does not take the
// past of a quiet one: upstream's watch caches are one a kind for the same reason. Of packed events a block goes at a
// time, once the newest of it may go.
class History {
 public:
  using States = std::map<ObjectKey, ObjectPtr>;

  explicit History(HistoryLimits limits) : limits_(limits) {}

  // Nothing before `start` is known. Revisions between it and `resumed` were never given out: a client that knows one
  // has it from changes that were lost when the folder was restored from a backup.
  void begin(Revision start, Revision resumed);
  void add(const std::string& resource, Event event, base::MonoTime now);

  // Everything after `revision` is still here.
  [[nodiscard]] bool reaches(const std::string& resource, Revision revision) const;
  // Some of what comes next: one block at most, so ask again until `through` stays. reaches(resource, query.after) must
  // hold.
  [[nodiscard]] Stretch after(const std::string& resource, const EventQuery& query) const;

  // Enters into `states` the state at `after` of each object that has changed since (null: it did not exist), unless
  // `states` has it already. Reads one block at most. reaches(resource, after) must hold.
  struct Rewound {
    Revision through = 0;  // go on from here …
    bool done = false;     // … unless this was all
  };
  [[nodiscard]] Rewound rewind(const std::string& resource, Revision after, States& states) const;

  [[nodiscard]] std::size_t size() const { return events_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  struct Entry {
    Event event;
    base::MonoTime at;
  };
  struct Packed {
    HistoryBlock block;
    base::MonoTime at;  // of its newest event
  };
  struct Ring {
    std::deque<Packed> packed;  // oldest first, all older than …
    std::deque<Entry> fresh;    // … these
    Revision floor = 0;         // the highest revision that was dropped
    std::size_t bytes = 0;      // held
    std::size_t freshText = 0;  // that a block of all fresh ones would hold

    [[nodiscard]] bool empty() const { return packed.empty() && fresh.empty(); }
    // When the oldest that can be dropped was written.
    [[nodiscard]] base::MonoTime oldest() const { return packed.empty() ? fresh.front().at : packed.front().at; }
    // nullptr: none reaches past `revision`.
    [[nodiscard]] const HistoryBlock* blockAfter(Revision revision) const;
    [[nodiscard]] std::deque<Entry>::const_iterator freshAfter(Revision revision) const;
  };
  [[nodiscard]] const Ring* find(const std::string& resource) const;
  void pack(Ring& ring);
  void trim(base::MonoTime now);
  [[nodiscard]] Ring* largest(const std::function<bool(const Ring&)>& among);
  void dropOldest(Ring& ring);
  void hold(Ring& ring, std::size_t bytes);
  void release(Ring& ring, std::size_t bytes);

  HistoryLimits limits_;
  std::size_t bytes_ = 0, events_ = 0;
  Revision start_ = 0, resumed_ = 0;
  std::map<std::string, Ring> rings_;
};

}  // namespace ingot::apiserver
