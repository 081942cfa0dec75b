// Processes that can die at any moment. From then on nothing that they do reaches the outside, although their
// coroutines may still run until they are cleared away: to the others it looks like a SIGKILL.
#pragma once

#include "agent/journal.hpp"
#include "net/client.hpp"
#include "tests/support/no_processes.hpp"
#include "tests/support/temporary_folder.hpp"
#include "wire/link.hpp"

#include <functional>
#include <memory>

namespace ingot::tests {

using Alive = std::shared_ptr<bool>;

class MortalTransport final : public net::HttpTransport {
 public:
  MortalTransport(net::HttpTransport& inner, Alive alive) : inner_(inner), alive_(std::move(alive)) {}

  std::unique_ptr<net::HttpClient> connect(net::ClientOptions options) override {
    return std::make_unique<Client>(inner_.connect(std::move(options)), alive_);
  }

 private:
  class Client final : public net::HttpClient {
   public:
    Client(std::unique_ptr<net::HttpClient> inner, Alive alive) : inner_(std::move(inner)), alive_(std::move(alive)) {}
    base::Task<net::HttpResponse> send(net::HttpRequest request) override {
      mustLive();
      co_return co_await inner_->send(std::move(request));
    }
    base::Task<std::unique_ptr<net::HttpStream>> open(net::HttpRequest request) override {
      mustLive();
      co_return co_await inner_->open(std::move(request));
    }

   private:
    void mustLive() const {
      if (!*alive_) throw net::HttpError(net::HttpError::Code::unreachable, "this process is dead");
    }
    std::unique_ptr<net::HttpClient> inner_;
    Alive alive_;
  };

  net::HttpTransport& inner_;
  Alive alive_;
};

// Child processes of one that may be dead; nullptr: it may start none.
class MortalProcesses final : public base::ProcessRunner {
 public:
  MortalProcesses(base::ProcessRunner* inner, Alive alive)
      : inner_(inner != nullptr ? *inner : none_), alive_(std::move(alive)) {}
  base::Task<base::ProcessResult> run(base::ProcessSpec spec) override {
    if (!*alive_) throw base::Error("this process is dead");
    co_return co_await inner_.run(std::move(spec));
  }

 private:
  NoProcesses none_;
  base::ProcessRunner& inner_;
  Alive alive_;
};

class MortalAgentLink final : public wire::AgentLink {
 public:
  MortalAgentLink(std::unique_ptr<wire::AgentLink> inner, Alive alive)
      : inner_(std::move(inner)), alive_(std::move(alive)) {}
  base::Task<std::string> receive() override { return inner_->receive(); }
  bool send(std::string bytes) override { return !*alive_ || inner_->send(std::move(bytes)); }

 private:
  std::unique_ptr<wire::AgentLink> inner_;
  Alive alive_;
};

class MortalCoordinatorLink final : public wire::CoordinatorLink {
 public:
  using OnSending = std::function<void(const std::string& bytes)>;
  MortalCoordinatorLink(std::unique_ptr<wire::CoordinatorLink> inner, Alive alive, OnSending onSending = {})
      : inner_(std::move(inner)), alive_(std::move(alive)), onSending_(std::move(onSending)) {}
  base::Task<wire::Incoming> receive() override { return inner_->receive(); }
  bool send(const std::string& peer, std::string bytes) override {
    if (!*alive_) return true;
    if (onSending_) onSending_(bytes);
    return inner_->send(peer, std::move(bytes));
  }
  std::string endpoint() const override { return inner_->endpoint(); }
  void admit(std::function<bool(const std::string& publicKey)> judge) override { inner_->admit(std::move(judge)); }
  void setKnown(std::function<bool(const std::string& publicKey)> known) override {
    inner_->setKnown(std::move(known));
  }

 private:
  std::unique_ptr<wire::CoordinatorLink> inner_;
  Alive alive_;
  OnSending onSending_;
};

// The disk of an agent. It checks that every command begins under a token of its own, above all earlier ones.
class WatchedJournal final : public agent::JournalStore {
 public:
  std::map<std::string, agent::HostJournal> load() override {
    waiting_.clear();
    return disk_;
  }
  void save(const std::string& host, const agent::HostJournal& journal) override {
    const bool begins = !journal.running.empty() && journal.unsent;
    if (begins && beforeBegin) beforeBegin();
    if (beforeSave) beforeSave(journal);
    if (!*alive) throw base::Error("this process is dead");
    waiting_[host] = journal;
    if (!isFull_) write();
    if (begins && afterBegin) afterBegin();
    if (afterSave) afterSave(journal);
  }
  base::Task<void> synced() override {
    if (isFull_) throw base::Error("no space left on device");
    if (*alive) write();
    co_return;
  }
  void remove(const std::string& host) override {
    if (!isFull_) waiting_.erase(host), disk_.erase(host);
  }
  std::int64_t loadTerm() override { return term_; }
  base::Task<void> saveTerm(std::int64_t term) override {
    if (!*alive) throw base::Error("this process is dead");
    if (isFull_) throw base::Error("no space left on device");
    term_ = term;
    co_return;
  }
  // It takes nothing more, until that is over. What was saved meanwhile is written then, unless the process has died.
  void fill(bool isFull) { isFull_ = isFull; }
  void noteBoot(const std::string& boot) {
    if (!isFull_) boots.push_back(boot);
  }
  [[nodiscard]] const agent::HostJournal& of(const std::string& host) { return disk_[host]; }

  // A file in a folder that is there.
  [[nodiscard]] std::string logPositions() const {
    std::filesystem::create_directories(logs.path());
    return logs.path() + "/logs.json";
  }

  Alive alive;
  TemporaryFolder erasures, logs;
  std::vector<std::string> boots;  // of the processes that ran on it
  std::function<void()> beforeBegin, afterBegin;
  std::function<void(const agent::HostJournal&)> beforeSave, afterSave;
  int begun = 0, repeated = 0;
  std::map<std::string, std::string> lastBegun;  // action of the command that was begun last, by host; to be taken out

 private:
  void write() {
    for (auto& [host, journal] : std::exchange(waiting_, {})) {
      if (!journal.running.empty() && journal.unsent) {
        if (journal.highest <= disk_[host].highest) ++repeated;
        ++begun;
        lastBegun[host] = journal.running;
      }
      disk_[host] = std::move(journal);
    }
  }

  std::map<std::string, agent::HostJournal> disk_, waiting_;  // waiting: until there is room
  std::int64_t term_ = 0;
  bool isFull_ = false;
};

}  // namespace ingot::tests
