#include "bmc/erasure_steps.hpp"

#include "base/sync.hpp"
#include "bmc/model/unerased.hpp"

#include <boost/asio/this_coro.hpp>

namespace ingot::bmc {

namespace {

constexpr int mostTriesOfStep = 4;
constexpr base::Duration tryStepAgain = std::chrono::seconds(15);
// All tries together: the host's power is not changed meanwhile.
constexpr base::Duration stepWithin = std::chrono::minutes(10);

bool isWorthAnotherTry(const Error& error) {
  return error.code() == Error::Code::busy || error.code() == Error::Code::timeout ||
         error.code() == Error::Code::unreachable;
}

// Ends what is taken once its time is over, but not in the middle of a request that changes something: that is waited
// for, so that it is known what became of it. It has a limit of its own.
class StepLimit {
 public:
  explicit StepLimit(WritePermit permit) : permit_(std::move(permit)) {}
  StepLimit(const StepLimit&) = delete;
  StepLimit& operator=(const StepLimit&) = delete;

  [[nodiscard]] WritePermit permit() {
    auto limited = permit_;
    limited.beforeSending = [this] {
      if (permit_.beforeSending) permit_.beforeSending();
      isWriting_ = true;
    };
    limited.afterwards = [this] {
      isWriting_ = false;
      if (permit_.afterwards) permit_.afterwards();
      if (isOver_) stop_.abort();
    };
    return limited;
  }

  // Throws base::TimedOut.
  base::Task<void> within(base::Clock& clock, base::Duration limit, base::Task<void> taken) {
    const auto alarm = clock.alarm(co_await boost::asio::this_coro::executor, clock.now() + limit, [this] {
      isOver_ = true;
      if (!isWriting_) stop_.abort();
    });
    try {
      co_await stop_.run(std::move(taken));
    } catch (const base::Cancelled&) {
      if (!isOver_) throw;
      throw base::TimedOut("");
    }
  }

 private:
  WritePermit permit_;
  base::AbortSource stop_;
  bool isWriting_ = false, isOver_ = false;
};

// Until it is taken; `said`: what was done.
base::Task<void> takeAtLast(const ErasureTools& tools, CleaningStep step, WritePermit permit, std::string& said) {
  for (int attempt = 1;; ++attempt) {
    if (!mayBegin(tools)) throw noLongerOrdered();
    try {
      said = co_await tools.cleaning.cleanUp(tools.lane, step, permit);
      co_return;
    } catch (const Error& error) {
      if (!isWorthAnotherTry(error) || attempt == mostTriesOfStep) throw;
    }
    co_await tools.clock.sleepFor(tryStepAgain);
  }
}

// Of what it did, or why it did not. Throws noLongerOrdered(), or Error{notPermitted}.
base::Task<StepRecord> take(const ErasureTools& tools, CleaningStep step) {
  const auto recordOf = [&](StepOutcome outcome, std::string detail) {
    return StepRecord{.step = std::string(toText(step)),
                      .outcome = std::string(toText(outcome)),
                      .detail = std::move(detail),
                      .endedAt = tools.clock.wall()};
  };
  StepLimit limit(tools.permit);
  std::string said;
  try {
    co_await limit.within(tools.clock, stepWithin, takeAtLast(tools, step, limit.permit(), said));
    co_return recordOf(StepOutcome::done, std::move(said));
  } catch (const base::Cancelled&) {
    throw;
  } catch (const base::TimedOut&) {
    co_return recordOf(StepOutcome::failed, fmt::format("{} was not done within {} min", toText(step),
                                                        stepWithin / std::chrono::minutes(1)));
  } catch (const Error& error) {
    if (error.code() == Error::Code::notPermitted) throw;
    if (!mayBegin(tools)) throw noLongerOrdered();
    const bool isOffered = error.code() != Error::Code::unsupported;
    co_return recordOf(isOffered ? StepOutcome::failed : StepOutcome::skipped, error.what());
  } catch (const base::Error&) {  // its words are nobody's
    co_return recordOf(StepOutcome::failed, "what the BMC answered cannot be read");
  }
}

bool keepsDrives(const ErasureRecord& record) {
  return std::ranges::any_of(record.drives, [](const auto& drive) { return stateOf(drive) == ErasureState::kept; });
}

base::Task<void> note(const ErasureTools& tools, ErasureRecord& record, StepRecord step) {
  record.steps.push_back(std::move(step));
  static_cast<void>(co_await trySave(tools));
}

}  // namespace

base::Task<bool> isConfirmed(const ErasureTools& tools) { co_return !tools.confirm || co_await tools.confirm(); }

base::Task<std::exception_ptr> trySave(const ErasureTools& tools) {
  try {
    co_await tools.save();
  } catch (const base::Cancelled&) {
    throw;
  } catch (const base::Error&) {
    co_return std::current_exception();
  }
  co_return nullptr;
}

base::Task<void> takeSteps(const ErasureTools& tools, EraseOrder order, ErasureRecord& record) {
  while (const auto step = firstUntaken(order, record.steps)) {
    if (!mayBegin(tools)) throw noLongerOrdered();
    if (*step == CleaningStep::resetBootOrder && keepsDrives(record)) {
      co_await note(tools, record,
                    {.step = std::string(toText(*step)),
                     .outcome = std::string(toText(StepOutcome::skipped)),
                     .detail = "a disk is kept, and some entries may be those of its system",
                     .endedAt = tools.clock.wall()});
      continue;
    }
    if (!co_await isConfirmed(tools)) throw noLongerOrdered();
    auto taken = co_await take(tools, *step);
    co_await note(tools, record, std::move(taken));
  }
}

}  // namespace ingot::bmc
