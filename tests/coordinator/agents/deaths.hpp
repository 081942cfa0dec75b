// The moments of an agent's process at which it can be killed: around each request to its BMC, each write of its
// journal and each word to the coordinator, and between two requests.
#pragma once

#include "tests/coordinator/agents/mortal.hpp"
#include "wire/codec.hpp"

#include <map>
#include <optional>

namespace ingot::tests {

enum class Step : std::uint8_t {
  unsent,     // a request to the BMC is about to go out
  obeyed,     // its answer has come
  between,    // a while after that
  unwritten,  // the journal is about to be written
  written,
  untold,  // the coordinator is about to be told
  told,
};
constexpr std::array kStepNames{"not sent", "obeyed", "a while after", "not written", "written", "not told", "told"};

struct Moment {
  Step step{};
  std::string what;  // "POST /redfish/v1/Systems/1 #1": the first of its kind

  [[nodiscard]] std::string text() const {
    return fmt::format("{}, {}", what, kStepNames[static_cast<std::size_t>(step)]);
  }
  friend bool operator==(const Moment&, const Moment&) = default;
};

class Deaths {
 public:
  explicit Deaths(base::Runtime runtime) : runtime_(std::move(runtime)) {}

  // From now on. What was seen before counts no more.
  void watch(std::optional<Moment> death, Alive alive) {
    death_ = std::move(death);
    alive_ = std::move(alive);
    seen.clear();
    counts_.clear();
    alarm_.reset();
    hasStruck = false;
  }
  // That moment has come. True: the process dies of it. Of what is done again and again the first time counts, of
  // anything else the first two.
  bool comes(Step step, const std::string& what, bool isRepeated = false) {
    if (!isDue(step, what, isRepeated)) return false;
    strike();
    return true;
  }
  void comesSoon(const std::string& what, bool isRead) {
    if (!isDue(Step::between, isRead ? "a reading" : what, isRead)) return;
    const auto when = runtime_.clock.now() + std::chrono::milliseconds(300);
    alarm_ = runtime_.clock.alarm(runtime_.executor, when, [this] { strike(); });
  }

  std::vector<Moment> seen;
  bool hasStruck = false;
  std::function<void()> onStrike;

 private:
  bool isDue(Step step, const std::string& what, bool isRepeated) {
    if (!alive_ || !*alive_) return false;
    const int count = ++counts_[{step, what}];
    if (count > (isRepeated ? 1 : 2)) return false;
    seen.push_back({step, fmt::format("{} #{}", what, count)});
    return death_ && !hasStruck && seen.back() == *death_;
  }
  void strike() {
    if (onStrike) onStrike();
    hasStruck = true;
    *alive_ = false;
  }

  base::Runtime runtime_;
  std::optional<Moment> death_;
  Alive alive_;
  std::map<std::pair<Step, std::string>, int> counts_;
  std::unique_ptr<base::Alarm> alarm_;
};

class DeadlyTransport final : public net::HttpTransport {
 public:
  DeadlyTransport(net::HttpTransport& inner, Deaths& deaths) : inner_(inner), deaths_(deaths) {}
  std::unique_ptr<net::HttpClient> connect(net::ClientOptions options) override {
    return std::make_unique<Client>(inner_.connect(std::move(options)), deaths_);
  }

 private:
  class Client final : public net::HttpClient {
   public:
    Client(std::unique_ptr<net::HttpClient> inner, Deaths& deaths) : inner_(std::move(inner)), deaths_(deaths) {}
    base::Task<net::HttpResponse> send(net::HttpRequest request) override {
      const auto what = request.method + " " + request.target;
      const bool isRead = request.method == "GET";
      const auto dead = [] { return net::HttpError(net::HttpError::Code::unreachable, "this process is dead"); };
      if (deaths_.comes(Step::unsent, what, isRead)) throw dead();
      auto response = co_await inner_->send(std::move(request));
      if (deaths_.comes(Step::obeyed, what, isRead)) throw dead();
      deaths_.comesSoon(what, isRead);
      co_return response;
    }
    base::Task<std::unique_ptr<net::HttpStream>> open(net::HttpRequest request) override {
      return inner_->open(std::move(request));
    }

   private:
    std::unique_ptr<net::HttpClient> inner_;
    Deaths& deaths_;
  };

  net::HttpTransport& inner_;
  Deaths& deaths_;
};

class DeadlyProcesses final : public base::ProcessRunner {
 public:
  using Answer = std::function<base::ProcessResult(const base::ProcessSpec&)>;
  DeadlyProcesses(Answer answer, Deaths& deaths) : answer_(std::move(answer)), deaths_(deaths) {}
  base::Task<base::ProcessResult> run(base::ProcessSpec spec) override {
    const auto what = fmt::format("{}", fmt::join(spec.argv.end() - 2, spec.argv.end(), " "));
    const bool isRead = !what.starts_with("power ") || what == "power status";
    if (deaths_.comes(Step::unsent, what, isRead)) throw base::Error("this process is dead");
    auto result = answer_(spec);
    if (deaths_.comes(Step::obeyed, what, isRead)) throw base::Error("this process is dead");
    deaths_.comesSoon(what, isRead);
    co_return result;
  }

 private:
  Answer answer_;
  Deaths& deaths_;
};

// What a job comes to, and what is known of logs and hardware. What is said of power is said each few seconds.
class DeadlyLink final : public wire::AgentLink {
 public:
  DeadlyLink(std::unique_ptr<wire::AgentLink> inner, Deaths& deaths) : inner_(std::move(inner)), deaths_(deaths) {}
  base::Task<std::string> receive() override { return inner_->receive(); }
  bool send(std::string bytes) override {
    const auto message = wire::decode(bytes);
    const bool isAnswer =
        message &&
        (std::holds_alternative<wire::CommandResult>(*message) || std::holds_alternative<wire::BootResult>(*message) ||
         std::holds_alternative<wire::EraseReport>(*message) ||
         std::holds_alternative<wire::InventoryResult>(*message) || std::holds_alternative<wire::LogFacts>(*message) ||
         std::holds_alternative<wire::Idle>(*message));
    if (!isAnswer) return inner_->send(std::move(bytes));
    const auto* erasure = std::get_if<wire::EraseReport>(&*message);
    const bool isRepeated = erasure != nullptr && erasure->outcome == "running";
    const auto what = fmt::format("{}{}", wire::kindOf(*message), isRepeated ? ", running" : "");
    if (deaths_.comes(Step::untold, what, isRepeated)) return true;
    const bool isSent = inner_->send(std::move(bytes));
    deaths_.comes(Step::told, what, isRepeated);
    return isSent;
  }

 private:
  std::unique_ptr<wire::AgentLink> inner_;
  Deaths& deaths_;
};

inline void watchJournal(WatchedJournal& journal, Deaths& deaths) {
  const auto nameOf = [](const agent::HostJournal& host) {
    if (!host.running.empty()) return host.unsent ? "journal: begun" : "journal: asked";
    return host.unacknowledged.empty() ? "journal: acknowledged" : "journal: ended";
  };
  journal.beforeSave = [&deaths, nameOf](const auto& host) { deaths.comes(Step::unwritten, nameOf(host)); };
  journal.afterSave = [&deaths, nameOf](const auto& host) { deaths.comes(Step::written, nameOf(host)); };
}

}  // namespace ingot::tests
