// The requests of a job that changes a BMC, one at a time. Private to the sources of the session.
#pragma once

#include "agent/host_session.hpp"

namespace ingot::agent {

class HostSession::JobWrites {
 public:
  // `token`: of the request that the job is carried out for, now.
  JobWrites(HostSession& session, std::function<wire::Token()> token) : session_(session), token_(std::move(token)) {}
  JobWrites(const JobWrites&) = delete;
  JobWrites& operator=(const JobWrites&) = delete;

  [[nodiscard]] bmc::WritePermit permit() {
    return {.timeLimit = [this] { return session_.permitWrite(token_()); },
            .beforeSending =
                [this] {
                  static_cast<void>(session_.permitWrite(token_()));
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
  HostSession& session_;
  std::function<wire::Token()> token_;
  bool isUnderWay_ = false;
};

}  // namespace ingot::agent
