// Commands that were sent and how they ended. Nothing is sent again by itself: an unknown outcome is a new decision.
#pragma once

#include "base/clock.hpp"
#include "bmc/model/power.hpp"
#include "wire/messages.hpp"

#include <map>
#include <optional>
#include <string>

namespace ingot::coordinator::agents {

struct SentCommand {
  wire::Token token;
  bmc::PowerAction action = bmc::PowerAction::on;
  base::MonoTime sentAt{};
  std::optional<wire::CommandResult> result;
};

class CommandBook {
 public:
  // A command that gets no answer within this is of unknown outcome.
  explicit CommandBook(base::Duration patience) : patience_(patience) {}

  void sent(const std::string& host, SentCommand command) { commands_[host] = std::move(command); }

  // True when it belongs to the command under way.
  bool ended(const wire::CommandResult& result);

  // Under way: sent, not ended, and not older than our patience.
  [[nodiscard]] const SentCommand* underWay(const std::string& host, base::MonoTime now) const;

  // The result of the last command, once.
  [[nodiscard]] std::optional<SentCommand> takeEnded(const std::string& host);

  void forget(const std::string& host) { commands_.erase(host); }

 private:
  base::Duration patience_;
  std::map<std::string, SentCommand> commands_;
};

}  // namespace ingot::coordinator::agents
