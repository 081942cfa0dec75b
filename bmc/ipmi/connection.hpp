// The conversation with one BMC through runs of ipmitool (spec/bmc.md §15): cipher suite, retries, errors.
#pragma once

#include "bmc/governor.hpp"
#include "bmc/ipmi/command.hpp"

namespace ingot::bmc::ipmi {

class Connection {
 public:
  Connection(base::Runtime runtime, base::ProcessRunner& processes, Governor& governor, Invocation to)
      : runtime_(std::move(runtime)), processes_(processes), governor_(governor), to_(std::move(to)) {}

  struct Answer {
    std::string text;
    std::string said;  // beside: of what it could not do, though it ended well
    base::MonoTime asked{};
  };

  // May run more than once: only for commands that change nothing. Throws Error.
  [[nodiscard]] base::Task<Answer> read(Lane lane, std::vector<std::string> command);
  // Sent once, if `permit` allows. Error{outcomeUnknown} when nobody can say whether the BMC has done it.
  [[nodiscard]] base::Task<void> send(Lane lane, std::vector<std::string> command, WritePermit permit);

 private:
  struct Ended {
    base::ProcessResult result;
    Failure failure = Failure::none;
    base::MonoTime asked{};
  };
  [[nodiscard]] base::Task<Ended> launch(Lane lane, Invocation to, std::vector<std::string> command,
                                         WritePermit permit);
  [[nodiscard]] base::Task<base::ProcessResult> runUntilWanted(Governor::Turn& turn, base::ProcessSpec spec);
  [[nodiscard]] base::Task<void> runInto(base::ProcessSpec spec, std::optional<base::ProcessResult>& result);
  [[nodiscard]] base::Task<Ended> findSuite(Lane lane);
  [[nodiscard]] base::Task<Error> explain(Lane lane, std::vector<std::string> command, Ended ended);
  [[nodiscard]] std::string lastWords(const base::ProcessResult& result) const;
  [[nodiscard]] Error errorFor(Failure failure, const base::ProcessResult& result) const;
  void learn(Governor::Turn& turn, Failure failure);

  base::Runtime runtime_;
  base::ProcessRunner& processes_;
  Governor& governor_;
  Invocation to_;
  bool suiteKnown_ = false;
};

}  // namespace ingot::bmc::ipmi
