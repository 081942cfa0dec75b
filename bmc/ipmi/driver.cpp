#include "bmc/ipmi/driver.hpp"

#include "base/backoff.hpp"

namespace ingot::bmc::ipmi {

namespace {

constexpr base::Duration commandDeadline = std::chrono::seconds(30);

// Tries of a reading while the BMC says that it is busy (spec/bmc.md §15.3). A BMC that does not answer at all is not
// asked again here: the first try took ten seconds, and the poll or power change that asked repeats it anyway.
constexpr unsigned busyTries = 3;
constexpr base::Backoff busyPause{.first = std::chrono::seconds(1), .cap = std::chrono::seconds(3)};

std::vector<std::string> mcInfo() { return {"mc", "info"}; }

std::string_view verb(PowerAction action) {
  switch (action) {
    case PowerAction::on: return "on";
    case PowerAction::hardOff: return "off";
    case PowerAction::softOff: return "soft";
    case PowerAction::hardReboot: return "cycle";
    case PowerAction::hardRestart: return "reset";
    case PowerAction::softReboot: return "";  // IPMI has no soft reboot of its own
  }
  return "";
}

Error errorFor(Failure failure, const Invocation& to, const base::ProcessResult& result) {
  const auto endpoint = fmt::format("ipmi://{}:{}", to.host, to.port);
  switch (failure) {
    case Failure::authentication:
      return {Error::Code::authenticationFailed, endpoint + " refused the user name or password"};
    case Failure::privilege:
      return {Error::Code::authenticationFailed,
              fmt::format("{} does not grant {} to this user; set ?privilegelevel= in the "
                          "BMC address",
                          endpoint, to.privilege)};
    case Failure::unreachable: return {Error::Code::unreachable, endpoint + " does not answer"};
    case Failure::cipherSuite: return {Error::Code::unsupported, endpoint + " offers neither cipher suite 17 nor 3"};
    case Failure::busy: return {Error::Code::busy, endpoint + " is busy"};
    case Failure::unsupported: return {Error::Code::unsupported, endpoint + " does not support this command"};
    case Failure::ambiguousSession:
    case Failure::none:
    case Failure::internal:
    case Failure::other: break;
  }
  return {Error::Code::protocol, fmt::format("{}: ipmitool failed with exit code {}", endpoint, result.exitCode)};
}

}  // namespace

IpmiDriver::IpmiDriver(base::Runtime runtime, base::ProcessRunner& processes, Target target, std::string home)
    : runtime_(std::move(runtime)), processes_(processes) {
  invocation_.host = target.address.host;
  invocation_.port = target.address.ipmiPort();
  invocation_.privilege = target.address.privilegeLevel;
  invocation_.username = std::move(target.login.username);
  invocation_.password = std::move(target.login.password);
  invocation_.home = std::move(home);
}

base::Task<base::ProcessResult> IpmiDriver::launch(Invocation to, std::vector<std::string> command,
                                                   base::Duration limit) {
  try {
    co_return co_await processes_.run(commandLine(to, std::move(command), limit));
  } catch (const base::Cancelled&) {
    throw;
  } catch (const Error&) {
    throw;
  } catch (const base::Error& error) {
    throw Error(Error::Code::protocol, fmt::format("ipmitool could not be run: {}", error.what()));
  }
}

// Suite 17 first, then 3: the first that opens a session is kept for this BMC.
base::Task<base::ProcessResult> IpmiDriver::runWithKnownSuite(std::vector<std::string> command) {
  auto result = co_await launch(invocation_, command, commandDeadline);
  if (suiteKnown_) co_return result;
  if (classify(result) == Failure::ambiguousSession) {  // the reason shows only when asked for
    Invocation verbose = invocation_;
    verbose.verbose = true;
    const auto reasoned = co_await launch(verbose, mcInfo(), commandDeadline);
    if (classify(reasoned) != Failure::none) result = reasoned;
  }
  if (classify(result) == Failure::cipherSuite) {
    invocation_.suite = CipherSuite::sha1;
    result = co_await launch(invocation_, command, commandDeadline);
  }
  suiteKnown_ = classify(result) == Failure::none;
  co_return result;
}

base::Task<Error> IpmiDriver::explain(std::vector<std::string> command, base::ProcessResult result) {
  Failure failure = classify(result);
  if (failure == Failure::ambiguousSession) {
    Invocation verbose = invocation_;
    verbose.verbose = true;
    failure = classify(co_await launch(verbose, mcInfo(), commandDeadline));
    if (failure == Failure::none || failure == Failure::ambiguousSession) failure = Failure::unreachable;
  }
  runtime_.log.debug(
      "ipmitool failed",
      {{"host", invocation_.host}, {"command", fmt::format("{}", fmt::join(command, " "))}, {"exit", result.exitCode}});
  co_return errorFor(failure, invocation_, result);
}

base::Task<std::string> IpmiDriver::read(std::vector<std::string> command) {
  auto result = co_await runWithKnownSuite(command);
  for (unsigned tries = 1; classify(result) == Failure::busy && tries < busyTries; ++tries) {
    co_await runtime_.clock.sleepFor(busyPause.delay(tries - 1, runtime_.random));
    result = co_await runWithKnownSuite(command);
  }
  if (classify(result) == Failure::none) co_return std::move(result.standardOutput);
  throw co_await explain(std::move(command), std::move(result));
}

base::Task<std::string> IpmiDriver::send(std::vector<std::string> command, WritePermit permit) {
  if (!suiteKnown_) co_await read({"mc", "info"});              // so that the command itself is sent once
  if (permit.timeLimit) static_cast<void>(permit.timeLimit());  // what may not be sent is not recorded either
  if (permit.beforeSending) permit.beforeSending();
  // Asked again: it may have taken time.
  const auto limit = permit.timeLimit ? std::min(commandDeadline, permit.timeLimit()) : commandDeadline;
  auto result = co_await launch(invocation_, command, limit);
  if (classify(result) == Failure::none) co_return std::move(result.standardOutput);
  if (mayHaveActed(result))
    throw Error(Error::Code::outcomeUnknown,
                fmt::format("ipmi://{}:{} did not answer the command", invocation_.host, invocation_.port));
  throw co_await explain(std::move(command), std::move(result));
}

base::Task<Identity> IpmiDriver::identify() { co_return parseMcInfo(co_await read({"mc", "info"})); }

base::Task<PowerReading> IpmiDriver::readPower() { co_return parsePowerStatus(co_await read({"power", "status"})); }

base::Task<Health> IpmiDriver::readHealth() { co_return parseChassisHealth(co_await read({"chassis", "status"})); }

base::Task<Inventory> IpmiDriver::readInventory(InTurn) {
  throw Error(Error::Code::unsupported, "IPMI tells no inventory");
  co_return Inventory{};
}

base::Task<void> IpmiDriver::requestPower(PowerAction action, WritePermit permit) {
  const auto word = verb(action);
  if (word.empty())
    throw Error(Error::Code::unsupported, "IPMI cannot restart a host softly; power it off softly, then on");
  co_await send({"power", std::string(word)}, std::move(permit));
}

base::Task<void> IpmiDriver::close() { co_return; }  // every ipmitool run closes its own session

}  // namespace ingot::bmc::ipmi
