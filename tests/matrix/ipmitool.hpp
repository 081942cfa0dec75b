// ipmitool as an agent runs it, in front of the servers of a plant.
#pragma once

#include "tests/bmc/fake_ipmitool.hpp"
#include "tests/matrix/plant.hpp"

namespace ingot::tests::matrix {

class Ipmitool final : public base::ProcessRunner {
 public:
  // `at`: the server with this address; nullptr: nobody answers there.
  Ipmitool(base::Clock& clock, std::function<Server*(const std::string& address)> at)
      : clock_(clock), at_(std::move(at)) {}

  base::Task<base::ProcessResult> run(base::ProcessSpec spec) override {
    Server* server = at_(*(std::ranges::find(spec.argv, "-H") + 1));
    if (server == nullptr || server->trouble == Fault::bmcHangs) {
      co_await clock_.sleepFor(spec.deadline);
      co_return base::ProcessResult{.timedOut = true};
    }
    if (server->trouble == Fault::bmcAnswers500 &&
        spec.secretEnvironment.at("IPMITOOL_PASSWORD").reveal() == server->bmc.password)
      co_return failed("Node busy");
    co_return answerOfIpmitool(server->bmc, spec);
  }

 private:
  base::Clock& clock_;
  std::function<Server*(const std::string& address)> at_;
};

}  // namespace ingot::tests::matrix
