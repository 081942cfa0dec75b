// What an agent must remember across a crash (docs/architecture.md): the highest token it accepted per host, the
// command that was running, and results that the coordinator has not acknowledged. It is written and synced before any
// effect.
#pragma once

#include "base/clock.hpp"
#include "base/task.hpp"
#include "json/describe.hpp"
#include "wire/messages.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace ingot::agent {

// When a request was sent to a BMC, on the monotonic clock of one boot of the machine: that clock outlives the process.
struct RequestTime {
  wire::Token token;
  std::string boot;  // of the machine
  std::int64_t ms = 0;

  static void describe(auto& v) {
    v.field("token", &RequestTime::token).always();
    v.field("boot", &RequestTime::boot);
    v.field("ms", &RequestTime::ms);
  }
};

// Now, on that clock.
struct MachineTime {
  std::string boot;  // "": not known; then no age is known either
  base::MonoTime now{};

  [[nodiscard]] std::int64_t ms() const { return now.time_since_epoch() / std::chrono::milliseconds(1); }
};

struct HostJournal {
  wire::Token highest;
  std::string running;                              // action of `highest` while it is carried out; "" otherwise
  bool unsent = false;                              // no request for it has been sent to the BMC yet
  RequestTime lastRequest;                          // of the last command
  std::vector<wire::CommandResult> unacknowledged;  // oldest first, bounded

  static void describe(auto& v) {
    v.field("highest", &HostJournal::highest).always();
    v.field("running", &HostJournal::running);
    v.field("unsent", &HostJournal::unsent);
    v.field("lastRequest", &HostJournal::lastRequest);
    v.field("unacknowledged", &HostJournal::unacknowledged);
  }
};

// In place of a host's uid: any host.
inline constexpr std::string_view everyHost = "*";

// Where journals are stored (disk_journal.hpp).
class JournalStore {
 public:
  virtual ~JournalStore() = default;
  [[nodiscard]] virtual std::map<std::string, HostJournal> load() = 0;
  // Hosts whose journal load() could not read and has copied aside; everyHost: nobody knows whose it was.
  [[nodiscard]] virtual std::vector<std::string> damaged() const { return {}; }
  // Taken note of. Throws base::Error: then do nothing.
  virtual void save(const std::string& host, const HostJournal& journal) = 0;
  virtual void remove(const std::string& host) = 0;
  // Returns when all that was saved before is durable: no effect may begin before that. Throws base::Error: it may not
  // be.
  [[nodiscard]] virtual base::Task<void> synced() { co_return; }
  // The same, and blocks: for a start.
  virtual void flush() {}
  [[nodiscard]] virtual std::int64_t loadTerm() = 0;                       // 0: none was saved
  [[nodiscard]] virtual base::Task<void> saveTerm(std::int64_t term) = 0;  // durable then; throws base::Error
};

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
  [[nodiscard]] base::Task<void> saveTerm(std::int64_t next) override {
    if (failing) throw base::Error("journal: no space left on device");
    term = next;
    co_return;
  }
  std::map<std::string, HostJournal> hosts;
  std::int64_t term = 0;
  bool failing = false;
};

// The rules on top of the store.
class Journal {
 public:
  // Commands that were running when the agent stopped become results: "unknown", or refused when no request had been
  // sent. Journals of earlier terms without unacknowledged results are removed: commands of those terms are refused
  // anyway. Where a journal was damaged nobody knows what was executed: commands of the terms so far are refused for
  // that host.
  explicit Journal(JournalStore& store);

  // Why it could not be written the last time that was tried; "": it could. What was decided at the start holds all the
  // same.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }
  // Called when that begins, and when it is over.
  void whenTroubleTurns(std::function<void()> call) { onTrouble_ = std::move(call); }

  // Hosts that only a later term can command again.
  [[nodiscard]] std::vector<std::string> damaged() const;

  // What was noted before is durable. Throws base::Error when it cannot be made so.
  [[nodiscard]] base::Task<void> synced();

  // False when the token is not above the highest seen for the host: the command must be refused. True: it is noted as
  // running, and may be carried out once that is durable. Throws base::Error when it cannot be noted.
  [[nodiscard]] bool begin(const std::string& host, const wire::Token& token, const std::string& action);
  // A request for the running command is about to be sent, once that is durable. False: that was recorded before.
  // Throws base::Error when it cannot be noted.
  [[nodiscard]] bool recordRequest(const std::string& host, const MachineTime& time);
  // It leaves now: later than it was recorded. After a crash nobody knows how much.
  void noteSent(const std::string& host, const MachineTime& time);
  // That could not be made durable, and so no request was sent.
  void takeBackRequest(const std::string& host);

  // A request for the running command was sent, or is about to be.
  [[nodiscard]] bool hasSent(const std::string& host) const;

  // Throws base::Error when it cannot be recorded; after a crash the outcome is then unknown.
  void finish(const wire::CommandResult& result);
  void acknowledge(const std::string& host, const wire::Token& token);

  // The result of a command whose outcome the coordinator does not know; nullopt: it is being executed. A command that
  // never arrived is refused from now on, which is to be durable before it is told. Throws base::Error as begin() does.
  [[nodiscard]] std::optional<wire::CommandResult> resolve(const std::string& host, const wire::Token& token);

  // The result with the time since the request was sent, where that is known.
  [[nodiscard]] wire::CommandResult withAge(wire::CommandResult result, const MachineTime& time) const;
  [[nodiscard]] std::vector<wire::CommandResult> unacknowledged() const;
  [[nodiscard]] bool hasUnacknowledged(const std::string& host) const;  // a result
  [[nodiscard]] std::vector<std::string> hostsWithUnacknowledged() const;

  // Commands of earlier terms are refused from then on, durably. Throws base::Error.
  [[nodiscard]] base::Task<void> raiseTerm(std::int64_t term);
  [[nodiscard]] std::int64_t term() const { return term_; }
  [[nodiscard]] std::int64_t highestTerm() const;                    // of term() and every command
  [[nodiscard]] wire::Token highest(const std::string& host) const;  // that was accepted, or must not be

 private:
  void tryToStore(const std::function<void()>& write);
  void noteTrouble(std::string why);
  void barDamaged();
  void resolveInterrupted();
  void prune();

  JournalStore& store_;
  std::map<std::string, HostJournal> hosts_;
  std::int64_t term_ = 0;
  std::string trouble_;
  std::function<void()> onTrouble_;
};

}  // namespace ingot::agent
