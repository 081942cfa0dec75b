#include "bmc/ipmi/connection.hpp"

#include "base/backoff.hpp"
#include "base/cut_text.hpp"
#include "base/redaction.hpp"
#include "base/sync.hpp"
#include "base/text.hpp"

namespace ingot::bmc::ipmi {

namespace {

// Tries of a reading while the BMC says that it is busy (spec/bmc.md §15.3). A BMC that does not answer at all is not
// asked again here: the first try took ten seconds, and the poll or power change that asked repeats it anyway.
constexpr unsigned busyTries = 3;
constexpr std::size_t longestReason = 200;  // bytes
constexpr base::Backoff busyPause{.first = std::chrono::seconds(1), .cap = std::chrono::seconds(3)};

std::vector<std::string> mcInfo() { return {"mc", "info"}; }

bool opensNoSession(Failure failure) {
  switch (failure) {
    case Failure::ambiguousSession:
    case Failure::authentication:
    case Failure::privilege:
    case Failure::unreachable:
    case Failure::cipherSuite: return true;
    case Failure::none:
    case Failure::busy:
    case Failure::notGranted:
    case Failure::unsupported:
    case Failure::internal:
    case Failure::tooSlow:
    case Failure::other: break;
  }
  return false;
}

Invocation verbose(Invocation to) {
  to.verbose = true;
  return to;
}

}  // namespace

base::Task<Connection::Answer> Connection::read(Lane lane, std::vector<std::string> command) {
  if (!suiteKnown_)
    if (const auto first = co_await findSuite(lane); opensNoSession(first.failure))
      throw errorFor(first.failure, first.result);
  auto ended = co_await launch(lane, to_, command, {});
  for (unsigned tries = 1; ended.failure == Failure::busy && tries < busyTries; ++tries) {
    co_await runtime_.clock.sleepFor(busyPause.delay(tries - 1, runtime_.random));
    ended = co_await launch(lane, to_, command, {});
  }
  if (ended.failure != Failure::none) throw co_await explain(lane, std::move(command), std::move(ended));
  co_return Answer{std::move(ended.result.standardOutput), std::move(ended.result.standardError), ended.asked};
}

base::Task<void> Connection::send(Lane lane, std::vector<std::string> command, WritePermit permit) {
  if (!suiteKnown_)  // found first, so that the command itself is sent once
    if (const auto first = co_await findSuite(lane); first.failure != Failure::none)
      throw errorFor(first.failure, first.result);
  auto ended = co_await launch(lane, to_, command, std::move(permit));
  if (ended.failure == Failure::none) co_return;
  if (mayHaveActed(ended.result))
    throw Error(Error::Code::outcomeUnknown,
                fmt::format("ipmi://{}:{} did not answer the command", to_.host, to_.port));
  throw co_await explain(lane, std::move(command), std::move(ended));
}

// Suite 17 first, then 3: the first that opens a session is kept. Verbose, for a session that is not opened says why
// only then, and to ask twice would show a wrong password twice.
base::Task<Connection::Ended> Connection::findSuite(Lane lane) {
  auto to = verbose(to_);
  auto ended = co_await launch(lane, to, mcInfo(), {});
  if (ended.failure == Failure::cipherSuite && to.suite == CipherSuite::sha256) {
    to.suite = CipherSuite::sha1;
    ended = co_await launch(lane, to, mcInfo(), {});
  }
  to_.suite = ended.failure == Failure::cipherSuite ? CipherSuite::sha256 : to.suite;
  suiteKnown_ = suiteKnown_ || ended.failure == Failure::none;
  co_return ended;
}

// In a turn of its own. The permit is asked last of all, and again once what it does is done: that may have taken time.
base::Task<Connection::Ended> Connection::launch(Lane lane, Invocation to, std::vector<std::string> command,
                                                 WritePermit permit) {
  std::optional<Governor::Turn> turn(co_await governor_.enter(lane, Credentials::password));
  if (!co_await isRecordedQuickly(runtime_.clock, permit)) {
    turn.reset();  // a disk that stalls holds neither the BMC nor a program's place
    co_await permit.record();
    turn.emplace(co_await governor_.enter(lane, Credentials::password));
  }
  if (permit.beforeSending) permit.beforeSending();
  const auto deadline = deadlineOf(command);
  const auto limit = permit.timeLimit ? std::min(deadline, permit.timeLimit()) : deadline;
  const bool wasLong = isLong(command), mayBeEnded = wasLong && isRoutine(lane);
  Ended ended{.asked = runtime_.clock.now()};
  const auto isOver = [&permit] {
    if (permit.afterwards) permit.afterwards();
  };
  try {
    auto spec = commandLine(to, std::move(command), limit);
    ended.result =
        mayBeEnded ? co_await runUntilWanted(*turn, std::move(spec)) : co_await processes_.run(std::move(spec));
    isOver();
  } catch (const base::Cancelled&) {
    throw;
  } catch (const Error&) {
    isOver();
    throw;
  } catch (const base::Error& error) {
    isOver();
    throw Error(Error::Code::protocol, fmt::format("ipmitool could not be run: {}", error.what()));
  }
  ended.failure = ended.result.timedOut && wasLong ? Failure::tooSlow : classify(ended.result);
  const bool saysNoMore = to.verbose && ended.failure == Failure::ambiguousSession;
  if (saysNoMore) ended.failure = Failure::unreachable;
  learn(*turn, ended.failure);
  co_return ended;
}

// A command that waits is worth more than a reading that takes minutes: that is ended, and read another time.
base::Task<base::ProcessResult> Connection::runUntilWanted(Governor::Turn& turn, base::ProcessSpec spec) {
  base::AbortSource end;
  const auto wanted = turn.whenWanted([&end] { end.abort(); });
  std::optional<base::ProcessResult> result;
  try {
    co_await end.run(runInto(std::move(spec), result));
  } catch (const base::Cancelled&) {
    if (!end.aborted()) throw;
    throw Error(Error::Code::busy, "a reading was ended for a command that waited", Error::Origin::governor);
  }
  co_return std::move(*result);
}

base::Task<void> Connection::runInto(base::ProcessSpec spec, std::optional<base::ProcessResult>& result) {
  result = co_await processes_.run(std::move(spec));
}

void Connection::learn(Governor::Turn& turn, Failure failure) {
  switch (failure) {
    case Failure::tooSlow: return;
    case Failure::ambiguousSession: suiteKnown_ = false; return;  // who is next asks in a way that tells why
    case Failure::unreachable: return turn.failed(Error::Code::unreachable);
    case Failure::authentication:
    case Failure::privilege: turn.answered(); return governor_.passwordRefused();
    case Failure::none: turn.answered(); return governor_.passwordTaken();
    case Failure::cipherSuite: suiteKnown_ = false; return turn.answered();
    case Failure::busy:
    case Failure::notGranted:
    case Failure::unsupported:
    case Failure::internal:
    case Failure::other: return turn.answered();
  }
}

base::Task<Error> Connection::explain(Lane lane, std::vector<std::string> command, Ended ended) {
  auto failure = ended.failure;
  if (failure == Failure::ambiguousSession) {
    failure = (co_await findSuite(lane)).failure;
    if (failure == Failure::none) failure = Failure::unreachable;  // it was, for a moment
  }
  runtime_.log.debug(
      "ipmitool failed",
      {{"host", to_.host}, {"command", fmt::format("{}", fmt::join(command, " "))}, {"exit", ended.result.exitCode}});
  co_return errorFor(failure, ended.result);
}

// What ipmitool gave as the reason: its last line, after what it says on the way. A piece of a password would not be
// found any more.
std::string Connection::lastWords(const base::ProcessResult& result) const {
  const auto said = base::trimmed(result.standardError);
  return base::cutText(base::redacted(std::string(said.substr(said.rfind('\n') + 1)), to_.password), longestReason);
}

Error Connection::errorFor(Failure failure, const base::ProcessResult& result) const {
  const auto endpoint = fmt::format("ipmi://{}:{}", to_.host, to_.port);
  switch (failure) {
    case Failure::authentication:
      return {Error::Code::authenticationFailed, endpoint + " refused the user name or password"};
    case Failure::privilege:
      return {Error::Code::authenticationFailed,
              fmt::format("{} does not grant {} to this user; set ?privilegelevel= in the "
                          "BMC address",
                          endpoint, to_.privilege)};
    case Failure::unreachable: return {Error::Code::unreachable, endpoint + " does not answer"};
    case Failure::cipherSuite:
      return {Error::Code::protocol,
              fmt::format("{} opens no session with cipher suite 17 or 3; may this user have {} with one of them "
                          "(?privilegelevel= in the BMC address)?",
                          endpoint, to_.privilege)};
    case Failure::notGranted:
      return {Error::Code::refused,
              fmt::format("{} does not let this user do that as {} (?privilegelevel= in the BMC address): {}", endpoint,
                          to_.privilege, lastWords(result))};
    case Failure::busy: return {Error::Code::busy, endpoint + " is busy"};
    case Failure::tooSlow:
      return {Error::Code::busy, endpoint + " takes longer than 300 s for its sensors, or for its log"};
    case Failure::unsupported:
      return {Error::Code::unsupported,
              fmt::format("{} does not support this command: {}", endpoint, lastWords(result))};
    case Failure::ambiguousSession:
    case Failure::none:
    case Failure::internal:
    case Failure::other: break;
  }
  return {Error::Code::protocol,
          fmt::format("{}: ipmitool failed with exit code {}: {}", endpoint, result.exitCode, lastWords(result))};
}

}  // namespace ingot::bmc::ipmi
