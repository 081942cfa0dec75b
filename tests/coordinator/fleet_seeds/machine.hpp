// A server of the fleet as its room sees it: what its BMC does wrong, what its power was, what was wished of it.
#pragma once

#include "base/random.hpp"
#include "base/sync.hpp"
#include "tests/coordinator/agents/site.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ingot::tests {

enum class Trouble : std::uint8_t {
  none,
  silent,        // requests are taken and not answered
  busy,          // 503
  slow,          // answers after seconds
  deaf,          // takes a reset and does nothing
  refusing,      // 409 to resets
  losesAnswers,  // does what it is told, and breaks the connection
};
constexpr std::size_t kTroubles = 7;

class Machine {
 public:
  // A reset that the BMC takes, told before it does it: of this process, of this type.
  using OnReset = std::function<void(Machine&, const std::string& process, const std::string& type)>;

  // `bmc`, `clock` and `random` outlive this.
  Machine(std::string host, std::string address, FakeRedfish& bmc, base::Clock& clock, base::Random& random,
          OnReset onReset);

  const std::string host, address;
  FakeRedfish& bmc;
  Trouble trouble = Trouble::none;
  int taken = 0;   // resets
  int logged = 0;  // entries of its log

  // Somebody at the machine.
  void pressButton() { bmc.powerState = isOn() ? "Off" : "On"; }
  void writeLog(int entries);
  // Its BMC pushes events from now on.
  void pushEvents(const base::Executor& executor);
  [[nodiscard]] bool isOn() const { return bmc.powerState == "On"; }

  // Notes what power it has, and which one it is to have.
  void look(bool wishedOn);
  [[nodiscard]] base::Duration sinceOn(bool on) const;      // since it was so; very long: it never was
  [[nodiscard]] base::Duration sinceWished(bool on) const;  // likewise

 private:
  struct Last {
    std::optional<base::MonoTime> on, off;
    void note(bool isOn, base::MonoTime now) { (isOn ? on : off) = now; }
  };
  [[nodiscard]] base::Task<void> delay();
  [[nodiscard]] base::Task<void> push(net::Responder& out);
  void noteNews();
  [[nodiscard]] std::optional<net::HttpResponse> answer(const net::ServerRequest& request);
  [[nodiscard]] base::Duration since(const Last& last, bool on) const;

  base::Clock& clock_;
  base::Random& random_;
  OnReset onReset_;
  Last power_, wish_;
  std::string entries_;
  std::unique_ptr<base::Notifier> news_;
  std::pair<bool, int> told_;  // power and log as the last event told them
};

}  // namespace ingot::tests
