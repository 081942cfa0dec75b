// Who changed what, and when: the evidence that tests and the demo read.
#pragma once

#include "base/clock.hpp"
#include "json/describe.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace ingot::sim {

// One change. A `request` was asked for by somebody; an `event` is what the machine then did.
struct JournalEntry {
  std::int64_t sequence = 0;  // from 1, without gaps, over the whole fleet
  std::string time;           // RFC 3339 with microseconds
  std::string machine;
  std::string kind;    // "request", "event"
  std::string sender;  // "ironic", "agent", "ramdisk", "ipmi", "operator", "machine", or the User-Agent
  std::string user;    // the BMC account it came with
  std::string action;  // "reset", "boot-override", "insert-media", … ; "power", "boot", …
  std::string detail;  // "ForceOff"; "on"
  int status = 0;      // of the answer to a request

  static void describe(auto& v) {
    v.field("sequence", &JournalEntry::sequence).required();
    v.field("time", &JournalEntry::time).required();
    v.field("machine", &JournalEntry::machine).required();
    v.field("kind", &JournalEntry::kind).required();
    v.field("sender", &JournalEntry::sender).required();
    v.field("user", &JournalEntry::user);
    v.field("action", &JournalEntry::action).required();
    v.field("detail", &JournalEntry::detail);
    v.field("status", &JournalEntry::status);
  }
};

class Journal {
 public:
  explicit Journal(base::Clock& clock, std::size_t capacity = 100'000) : clock_(clock), capacity_(capacity) {}

  // Fills sequence and time. The oldest entry goes when the journal is full.
  void record(JournalEntry entry);
  void event(const std::string& machine, std::string action, std::string detail);

  // After `sequence`, oldest first; of one machine, or of all when empty.
  [[nodiscard]] std::vector<JournalEntry> since(std::int64_t sequence, const std::string& machine = {}) const;

  std::function<void(const JournalEntry&)> onRecord;  // each entry as it is made

 private:
  base::Clock& clock_;
  std::size_t capacity_;
  std::int64_t last_ = 0;
  std::deque<JournalEntry> entries_;
};

// Who sent the request (this project's programs, Ironic or somebody else), by the User-Agent.
[[nodiscard]] std::string senderOf(const std::string& userAgent);

}  // namespace ingot::sim
