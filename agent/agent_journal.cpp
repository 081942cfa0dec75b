// What an agent writes down of terms, and that it goes on where the disk takes nothing for a while (agent.hpp).
#include "agent/agent.hpp"

namespace ingot::agent {

namespace {

constexpr base::Duration journalAgain = std::chrono::seconds(10);  // while the disk takes nothing

}  // namespace

// Room that somebody makes on the disk counts without a command, and without a restart.
base::Task<void> Agent::retryJournal() {
  while (true) {
    co_await runtime_.clock.sleepFor(journalAgain);
    if (journal_.trouble().empty()) continue;
    try {
      co_await journal_.raiseTerm(highestTerm_);
      co_await journal_.synced();
    } catch (const base::Cancelled&) {
      throw;
    } catch (const base::Error&) {  // told when it began
    }
  }
}

void Agent::tellJournalTrouble() const {
  if (journal_.trouble().empty()) return runtime_.log.info("the journal can be written again");
  runtime_.log.error("the journal cannot be written: no host is commanded until it can",
                     {{"error", journal_.trouble()}});
}

// The first message of a later term ends every lease of earlier ones, for good: that is recorded before it is reported.
void Agent::adoptTerm(std::int64_t term) {
  if (term > highestTerm_) {
    highestTerm_ = term;
    for (const auto& [host, session] : sessions_) session->preempt();
    for (auto& [host, closing] : closingSessions_) closing.next.reset();
    recordInFlight();
  }
  if (journal_.term() < highestTerm_ && !std::exchange(recordsTerm_, true))
    closing_.spawn("write down the term", recordTerm());
}

base::Task<void> Agent::recordTerm() {
  try {
    while (journal_.term() < highestTerm_) co_await journal_.raiseTerm(highestTerm_);
  } catch (const base::Cancelled&) {
    throw;
  } catch (const base::Error& error) {  // not recorded, so not reported: others wait until our leases have expired
    runtime_.log.error("the journal could not be written", {{"error", error.what()}});
  }
  recordsTerm_ = false;
  if (welcomed_ && journal_.term() != reportedTerm_) sendHeartbeat();
}

}  // namespace ingot::agent
