// What an agent must not forget over a crash (DESIGN §2): the highest token it obeyed per host, the command that was
// running, and results that the coordinator has not acknowledged. Written and synced before anything is done.
#pragma once

#include "base/clock.hpp"
#include "json/describe.hpp"
#include "wire/messages.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace ingot::agent {

// When a BMC was asked, on the monotonic clock of one boot of the machine: it outlives the agent's process.
struct AskedAt {
  wire::Token token;
  std::string boot;  // of the machine
  std::int64_t ms = 0;

  static void describe(auto& v) {
    v.field("token", &AskedAt::token).always();
    v.field("boot", &AskedAt::boot);
    v.field("ms", &AskedAt::ms);
  }
};

// Now, as the machine counts it.
struct MachineTime {
  std::string boot;  // "": not known, and so no age is
  base::MonoTime now{};

  [[nodiscard]] std::int64_t ms() const { return now.time_since_epoch() / std::chrono::milliseconds(1); }
};

struct HostJournal {
  wire::Token highest;
  std::string running;                              // action of `highest` while it is carried out; "" otherwise
  bool untouched = false;                           // the BMC has not been asked for it yet
  AskedAt asked;                                    // the last command that a BMC was asked for
  std::vector<wire::CommandResult> unacknowledged;  // oldest first, bounded

  static void describe(auto& v) {
    v.field("highest", &HostJournal::highest).always();
    v.field("running", &HostJournal::running);
    v.field("untouched", &HostJournal::untouched);
    v.field("asked", &HostJournal::asked);
    v.field("unacknowledged", &HostJournal::unacknowledged);
  }
};

// Where journals live. All calls are synchronous: nothing may happen before they have returned.
class JournalStore {
 public:
  virtual ~JournalStore() = default;
  [[nodiscard]] virtual std::map<std::string, HostJournal> load() = 0;
  virtual void save(const std::string& host, const HostJournal& journal) = 0;  // throws base::Error: then do nothing
  virtual void remove(const std::string& host) = 0;
  [[nodiscard]] virtual std::int64_t loadTerm() = 0;  // 0: none was saved
  virtual void saveTerm(std::int64_t term) = 0;       // throws base::Error
};

// One small file a host, replaced atomically and synced. Host uids that are no file names are refused.
[[nodiscard]] std::unique_ptr<JournalStore> diskJournal(std::string folder);

// For tests and simulation: survives the agent, not the test.
class MemoryJournal final : public JournalStore {
 public:
  [[nodiscard]] std::map<std::string, HostJournal> load() override { return hosts; }
  void save(const std::string& host, const HostJournal& journal) override {
    if (failing) throw base::Error("journal: no space left on device");
    hosts[host] = journal;
  }
  void remove(const std::string& host) override { hosts.erase(host); }
  [[nodiscard]] std::int64_t loadTerm() override { return term; }
  void saveTerm(std::int64_t next) override {
    if (failing) throw base::Error("journal: no space left on device");
    term = next;
  }
  std::map<std::string, HostJournal> hosts;
  std::int64_t term = 0;
  bool failing = false;
};

// The rules on top of the store.
class Journal {
 public:
  // Commands that were running when the agent stopped become results: "unknown", or refused when the BMC had not been
  // asked yet. Journals of earlier terms that hold nothing untold are removed: orders of those terms are refused
  // anyway.
  explicit Journal(JournalStore& store);

  // False when the token is not above the highest seen for the host: the command must be refused. True: it is now
  // recorded as running, durably. Throws base::Error when it cannot be recorded; then nothing may be done.
  [[nodiscard]] bool begin(const std::string& host, const wire::Token& token, const std::string& action);

  // The BMC is about to be asked for what is running. Throws base::Error when that cannot be recorded: do not ask then.
  void asking(const std::string& host, const MachineTime& time);

  // The BMC was asked for what is running, or is about to be.
  [[nodiscard]] bool hasAsked(const std::string& host) const;

  // Throws base::Error when it cannot be recorded; after a crash the outcome is then unknown.
  void finish(const wire::CommandResult& result);
  void acknowledge(const std::string& host, const wire::Token& token);

  // What became of a command that the coordinator is in doubt about; nullopt: it is being carried out. One that never
  // arrived is refused from now on, durably. Throws base::Error as begin().
  [[nodiscard]] std::optional<wire::CommandResult> settle(const std::string& host, const wire::Token& token);

  // With how long ago the BMC was asked for it, where that is known.
  [[nodiscard]] wire::CommandResult dated(wire::CommandResult result, const MachineTime& time) const;
  [[nodiscard]] std::vector<wire::CommandResult> unacknowledged() const;
  [[nodiscard]] bool owesResult(const std::string& host) const;  // one that was not acknowledged
  [[nodiscard]] std::vector<std::string> owing() const;          // hosts of which it does

  // Written down: whatever is older is refused from now on. Throws base::Error.
  void raiseTerm(std::int64_t term);
  [[nodiscard]] std::int64_t term() const { return term_; }
  [[nodiscard]] std::int64_t highestTerm() const;  // of it and every command
  [[nodiscard]] wire::Token highest(const std::string& host) const;

 private:
  void settleCutShort();
  void prune();

  JournalStore& store_;
  std::map<std::string, HostJournal> hosts_;
  std::int64_t term_ = 0;
};

}  // namespace ingot::agent
