// The requests of a job that changes a BMC, one at a time. Private to the sources of the session.
#pragma once

#include "agent/host_session.hpp"

namespace ingot::agent {

class HostSession::JobWrites {
 public:
  // `token`: of the request that the job is carried out for, now. `require` throws where the job is not to go on.
  JobWrites(
      HostSession& session, std::function<wire::Token()> token, std::function<void()> require = [] {})
      : session_(session), token_(std::move(token)), require_(std::move(require)) {}
  JobWrites(const JobWrites&) = delete;
  JobWrites& operator=(const JobWrites&) = delete;

  [[nodiscard]] bmc::WritePermit permit() {
    return {.timeLimit = [this] { return permitted(); },
            .beforeSending =
                [this] {
                  static_cast<void>(permitted());
                  if (!std::exchange(isUnderWay_, true)) ++session_.writing_;
                },
            .afterwards = [this] { over(); }};
  }

  // None is under way any more.
  void over() {
    if (!std::exchange(isUnderWay_, false)) return;
    --session_.writing_;
    session_.reportIdleWhenQuiesced();
  }

  // Nobody waits for the answer to one that may be under way.
  void abandon() {
    if (isUnderWay_) session_.writeAbandoned_ = true;
    over();
  }

 private:
  [[nodiscard]] base::Duration permitted() const {
    require_();
    return session_.permitWrite(token_());
  }

  HostSession& session_;
  std::function<wire::Token()> token_;
  std::function<void()> require_;
  bool isUnderWay_ = false;
};

}  // namespace ingot::agent
