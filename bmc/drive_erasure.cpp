#include "bmc/drive_erasure.hpp"

#include "bmc/erasure_attempt.hpp"
#include "bmc/erasure_plan.hpp"
#include "bmc/erasure_steps.hpp"
#include "bmc/machine_check.hpp"

#include <fmt/ranges.h>

namespace ingot::bmc {

namespace {

using namespace std::chrono_literals;

constexpr int mostAtOnce = 4;               // of the drives on one controller
constexpr int mostRequests = 3;             // for one drive, where nobody knows what became of the one before
constexpr base::Duration triedFor = 15min;  // where the BMC says not now
constexpr base::Duration tryAgain = 15s;
constexpr base::Duration othersAtWork = 30s;   // between two looks at a drive on which something else goes on
constexpr base::Duration seenFor = 5s;         // a drive, before the request for it leaves
constexpr base::Duration mayBeAwayFor = 2min;  // a drive after it was erased

class ErasureRun {
 public:
  ErasureRun(ErasureTools tools, ErasureRecord& record) : tools_(std::move(tools)), record_(record) {}

  base::Task<void> follow() {
    for (const auto& drive : record_.drives)
      if (stateOf(drive) == ErasureState::running) attemptOf(drive).begun = now();
    while (anyIs(ErasureState::running)) {
      co_await lookAtAll();
      if (anyIs(ErasureState::running)) co_await tools_.clock.sleepFor(pause());
    }
  }

  // Planned again until nothing is left: a drive may show itself late.
  base::Task<void> run(EraseOrder order) {
    co_await follow();
    while (true) {
      co_await plan(order);
      if (!anyIs(ErasureState::waiting)) break;
      while (true) {
        if (!stopped_) co_await startSome();
        co_await lookAtAll();
        if (!anyIs(ErasureState::running) && (stopped_ || !anyIs(ErasureState::waiting))) break;
        co_await tools_.clock.sleepFor(pause());
      }
      if (stopped_) std::rethrow_exception(stopped_);
      requireAllErased();
    }
    co_await takeSteps(tools_, order, record_);
    co_await finish();
  }

 private:
  using Attempt = ErasureAttempt;

  [[nodiscard]] base::MonoTime now() const { return tools_.clock.now(); }
  [[nodiscard]] bool anyIs(ErasureState state) const {
    return std::ranges::any_of(record_.drives, [&](const auto& drive) { return stateOf(drive) == state; });
  }
  [[nodiscard]] Attempt& attemptOf(const DriveErasure& drive) { return attempts_[drive.serialNumber]; }

  base::Task<void> plan(EraseOrder order) {
    co_await requireMachine(tools_.identity, tools_.lane, order.machineSerial, record_);
    auto shown = co_await tools_.drives.readDrives(tools_.lane);
    for (const auto& drive : shown) attempts_[drive.serialNumber].controller = drive.controller;
    enterPlan(std::move(order), std::move(shown), record_);
    if (!record_.startedAt) record_.startedAt = tools_.clock.wall();
    co_await tools_.save();
  }

  void set(DriveErasure& drive, ErasureState state, std::string error = {}) {
    drive.state = toText(state);
    drive.error = std::move(error);
    if (state == ErasureState::erased || state == ErasureState::failed) drive.endedAt = tools_.clock.wall();
  }

  // A record that cannot be written keeps nothing from being followed.
  base::Task<void> note() { static_cast<void>(co_await trySave(tools_)); }

  // What is not on record has not ended: whoever asks again is not told so.
  base::Task<void> finish() {
    record_.endedAt = tools_.clock.wall();
    const auto failure = co_await trySave(tools_);
    if (!failure) co_return;
    record_.endedAt.reset();
    co_await note();
    std::rethrow_exception(failure);
  }

  base::Task<void> startSome() {
    for (auto& drive : record_.drives) {
      if (stateOf(drive) != ErasureState::waiting || now() < attemptOf(drive).notBefore) continue;
      if (runningOn(attemptOf(drive).controller) >= mostAtOnce) continue;
      if (!isOrdered()) co_return;
      co_await start(drive);
      if (stopped_) co_return;
    }
  }

  [[nodiscard]] int runningOn(const std::string& controller) {
    return static_cast<int>(std::ranges::count_if(record_.drives, [&](const auto& drive) {
      return stateOf(drive) == ErasureState::running && attemptOf(drive).controller == controller;
    }));
  }

  base::Task<void> start(DriveErasure& drive) {
    if (!co_await isStoodBy()) co_return;
    std::optional<Error> obstacle;
    try {
      auto seen = co_await tools_.drives.readDrive(tools_.lane, drive.path);
      if (auto why = whyNot(drive, seen); !why.empty()) {
        set(drive, ErasureState::failed, std::move(why));
        co_await note();
      } else if (seen->busy) {
        later(drive, othersAtWork, std::nullopt, "another operation is under way on it");
      } else if (isOrdered()) {
        co_await ask(drive, std::move(*seen));
      }
    } catch (const Error& error) {
      obstacle = error;
    }
    if (obstacle) co_await hold(drive, *obstacle);
  }

  [[nodiscard]] bool isOrdered() {
    if (!mayBegin(tools_)) stopped_ = std::make_exception_ptr(noLongerOrdered());
    return stopped_ == nullptr;
  }
  base::Task<bool> isStoodBy() {
    if (!co_await isConfirmed(tools_)) stopped_ = std::make_exception_ptr(noLongerOrdered());
    co_return stopped_ == nullptr;
  }

  // Between two looks somebody may have put another drive into the bay.
  [[nodiscard]] std::string whyNot(const DriveErasure& drive, const std::optional<ErasableDrive>& seen) {
    if (!seen) return "it is not there any more";
    if (!sameSerial(seen->serialNumber, drive.serialNumber))
      return fmt::format("another drive is in its place: {}", orNothing(seen->serialNumber));
    if (!seen->unfit.empty()) return seen->unfit;
    if (!seen->busy && std::ranges::find(seen->methods, methodOf(drive)) == seen->methods.end())
      return fmt::format("the BMC does not offer {} for it any more", drive.method);
    return {};
  }

  base::Task<void> ask(DriveErasure& drive, ErasableDrive seen) {
    auto& attempt = attemptOf(drive);
    const auto before = drive;
    set(drive, ErasureState::running);
    drive.task.clear();
    drive.percent = -1;
    ++drive.asked;
    if (!drive.startedAt) drive.startedAt = tools_.clock.wall();
    const auto seenAt = now();
    if (auto trouble = co_await trySave(tools_)) {
      stopped_ = std::move(trouble);
      drive = before;
      co_return co_await note();
    }
    attempt.begin(now());
    std::optional<Error> failure;
    try {
      if (now() - seenAt > seenFor) seen = co_await lookAgain(drive);
      drive.task = co_await tools_.drives.eraseDrive(tools_.lane, std::move(seen), methodOf(drive), tools_.permit);
      attempt.answered = true;
      attempt.triedSince.reset();
    } catch (const Error& error) {
      failure = error;
    }
    if (failure && failure->code() == Error::Code::outcomeUnknown) attempt.isUnclear = true;
    if (failure && failure->code() != Error::Code::outcomeUnknown) {
      drive = before;
      throw *failure;
    }
    co_await note();
  }

  // The record took its time to be written: what was seen and heard before is old.
  base::Task<ErasableDrive> lookAgain(const DriveErasure& drive) {
    if (!co_await isStoodBy()) throw noLongerOrdered();
    auto seen = co_await tools_.drives.readDrive(tools_.lane, drive.path);
    if (const auto why = whyNot(drive, seen); !why.empty()) throw Error(Error::Code::refused, why);
    if (seen->busy) throw Error(Error::Code::busy, "another operation is under way on it");
    if (!isOrdered()) throw noLongerOrdered();
    co_return std::move(*seen);
  }

  // Nothing was begun for this drive now.
  base::Task<void> hold(DriveErasure& drive, Error error) {
    // Some controllers erase one drive at a time.
    if (runningOn(attemptOf(drive).controller) > 0) attemptOf(drive).triedSince.reset();
    switch (error.code()) {
      case Error::Code::notPermitted: stopped_ = std::make_exception_ptr(error); break;
      case Error::Code::refused:
      case Error::Code::unsupported:
      case Error::Code::ambiguousSystem:
        if (attemptOf(drive).isUnclear)  // it may be at it since
          later(drive, othersAtWork, limitOf(drive), error.what());
        else
          set(drive, ErasureState::failed, error.what());
        break;
      default: later(drive, tryAgain, triedFor, error.what());
    }
    co_await note();
  }

  void later(DriveErasure& drive, base::Duration pause, std::optional<base::Duration> limit, const std::string& why) {
    auto& attempt = attemptOf(drive);
    if (!attempt.triedSince) attempt.triedSince = now();
    attempt.notBefore = now() + pause;
    if (!limit || now() - *attempt.triedSince < *limit) {
      drive.error = why;
    } else {
      set(drive, ErasureState::failed, fmt::format("{}, for {} min", why, *limit / 1min));
    }
  }

  base::Task<void> lookAtAll() {
    for (auto& drive : record_.drives) {
      if (stateOf(drive) != ErasureState::running) continue;
      try {
        co_await look(drive);
      } catch (const Error& error) {  // it may restart, or be busy with this very work
        if (error.code() == Error::Code::notPermitted) throw;
        if (error.origin() == Error::Origin::bmc) drive.error = error.what();
      }
      // It is not given up: a drive must not lose its power in the middle of it.
      const bool isLate = stateOf(drive) == ErasureState::running && now() - attemptOf(drive).begun > limitOf(drive);
      if (!isLate || std::exchange(attemptOf(drive).isLate, true)) continue;
      drive.error = fmt::format("it takes longer than {} min", limitOf(drive) / 1min);
      co_await note();
    }
  }

  base::Task<void> look(DriveErasure& drive) {
    auto& attempt = attemptOf(drive);
    if (attempt.doneAt) co_return co_await verify(drive);
    if (drive.task.empty()) co_return co_await lookAtDrive(drive);
    const auto seen = co_await tools_.drives.lookAtErasure(tools_.lane, drive.task);
    using State = ErasureProgress::State;
    switch (attempt.note(seen)) {
      case State::unsaid: break;
      case State::running:
        if (!seen.task.empty()) {
          drive.task = seen.task;
          co_await note();
        }
        if (std::exchange(drive.percent, seen.percent) != seen.percent) tools_.progressed();
        break;
      case State::failed:
        if (co_await isAtWork(drive)) break;  // the task was given up, the drive goes on
        set(drive, ErasureState::failed, "the BMC says: " + orNothing(seen.error));
        co_await note();
        break;
      case State::noTask:
        // The request was answered without a task. The process before this one may have seen one that was cut off
        // since.
        if (attempt.isAsked && attempt.task != Attempt::Task::seen) {
          attempt.task = Attempt::Task::none;
          attempt.answered = true;
        }
        [[fallthrough]];
      case State::forgotten: co_await lookAtDrive(drive); break;
      case State::result:
      case State::done: attempt.doneAt = now(); co_await verify(drive);
    }
  }

  base::Task<bool> isAtWork(DriveErasure& drive) {
    const auto seen = co_await tools_.drives.readDrive(tools_.lane, drive.path);
    if (!seen || !seen->busy) co_return false;
    co_return attemptOf(drive).wasBusy = true;
  }

  // Its task.
  [[nodiscard]] bool mayTell(const DriveErasure& drive) {
    return !drive.task.empty() && attemptOf(drive).task != Attempt::Task::none;
  }

  // Where no task tells. A request that was answered without one is carried out once the drive is at rest, which it may
  // be for a moment before; of any other nobody knows, and the drive is erased again.
  base::Task<void> lookAtDrive(DriveErasure& drive) {
    auto& attempt = attemptOf(drive);
    const auto seen = co_await tools_.drives.readDrive(tools_.lane, drive.path);
    if (!seen) co_return;  // a BMC that has restarted shows its drives late
    if (seen->busy) {
      attempt.wasBusy = true;
      co_return;
    }
    if (!attempt.wasBusy && now() - attempt.begun < mayBeUnseenFor(drive)) co_return;
    if (attempt.answered && !mayTell(drive)) {
      attempt.doneAt = now();
      co_return co_await verify(drive);
    }
    if (drive.asked < mostRequests) {
      set(drive, ErasureState::waiting, "nobody knows what became of the last request");
    } else {
      set(drive, ErasureState::failed,
          fmt::format("the BMC was asked {} times, and nobody knows what became of it", drive.asked));
    }
    co_await note();
  }

  base::Task<void> verify(DriveErasure& drive) {
    auto& attempt = attemptOf(drive);
    std::string why = "it is not shown any more";
    try {
      const auto seen = co_await tools_.drives.readDrive(tools_.lane, drive.path);
      if (seen && seen->busy) co_return;
      if (seen && !sameSerial(seen->serialNumber, drive.serialNumber)) {
        set(drive, ErasureState::failed, "another drive is in its place: " + orNothing(seen->serialNumber));
        co_return co_await note();
      }
      if (seen) co_return co_await end(drive, doubtOf(drive, *seen));
      // Another machine may answer at the address by now.
      co_await requireMachine(tools_.identity, tools_.lane, record_.serialNumber, record_);
    } catch (const Error& error) {
      if (error.code() == Error::Code::notPermitted || error.code() == Error::Code::refused) throw;
      why = error.what();
    }
    if (now() - *attempt.doneAt > mayBeAwayFor) co_await end(drive, why);
  }

  // Why what the BMC shows of the drive does not bear out that it is erased; "": it does.
  [[nodiscard]] std::string doubtOf(const DriveErasure& drive, const ErasableDrive& seen) {
    if (!seen.trouble.empty()) return seen.trouble;
    if (!seen.unfit.empty()) return seen.unfit;
    if (!mayTell(drive) && !attemptOf(drive).wasBusy) return "it was never seen at it, and no task tells of it";
    return {};
  }

  base::Task<void> end(DriveErasure& drive, std::string doubt) {
    set(drive, ErasureState::erased);
    drive.percent = 100;
    drive.verified = doubt.empty();
    drive.verification = doubt.empty()
                             ? "the BMC reports the erasure done, and shows the drive with this serial number, at "
                               "rest and without trouble"
                             : "the BMC took the erasure and reports no failure; of the drive afterwards: " + doubt;
    co_await note();
  }

  void requireAllErased() {
    std::vector<std::string> failed;
    for (const auto& drive : record_.drives)
      if (stateOf(drive) == ErasureState::failed)
        failed.push_back(fmt::format("{}: {}", drive.serialNumber, drive.error));
    if (failed.empty()) return;
    const auto wanted =
        std::ranges::count_if(record_.drives, [](const auto& drive) { return stateOf(drive) != ErasureState::kept; });
    throw Error(Error::Code::refused,
                fmt::format("{} of {} drives were not erased: {}", failed.size(), wanted, fmt::join(failed, "; ")));
  }

  // Seconds at first: most are quick.
  [[nodiscard]] base::Duration pause() const {
    base::MonoTime latest{};
    for (const auto& [serial, attempt] : attempts_) latest = std::max(latest, attempt.begun);
    const auto since = now() - latest;
    return since < 10s ? 1s : since < 2min ? 5s : since < 10min ? 10s : 30s;
  }

  ErasureTools tools_;
  ErasureRecord& record_;
  std::map<std::string, Attempt> attempts_;  // by serial number
  std::exception_ptr stopped_;               // why no more is begun: what is under way is followed to its end
};

}  // namespace

base::Task<void> followErasures(ErasureTools tools, ErasureRecord& record) {
  ErasureRun run(std::move(tools), record);
  co_await run.follow();
}

base::Task<void> eraseDrives(ErasureTools tools, EraseOrder order, ErasureRecord& record) {
  ErasureRun run(std::move(tools), record);
  co_await run.run(std::move(order));
}

}  // namespace ingot::bmc
