#include "bmc/erasure_steps.hpp"

#include "bmc/model/unerased.hpp"

namespace ingot::bmc {

namespace {

constexpr int mostTriesOfStep = 4;
constexpr base::Duration tryStepAgain = std::chrono::seconds(15);

bool isWorthAnotherTry(const Error& error) {
  return error.code() == Error::Code::busy || error.code() == Error::Code::timeout ||
         error.code() == Error::Code::unreachable;
}

// Of what it did, or why it did not. Throws Error{notPermitted}.
base::Task<StepRecord> take(const ErasureTools& tools, CleaningStep step) {
  const auto recordOf = [&](StepOutcome outcome, std::string detail) {
    return StepRecord{.step = std::string(toText(step)),
                      .outcome = std::string(toText(outcome)),
                      .detail = std::move(detail),
                      .endedAt = tools.clock.wall()};
  };
  std::optional<Error> failure;
  for (int attempt = 1; attempt <= mostTriesOfStep; ++attempt) {
    if (failure) co_await tools.clock.sleepFor(tryStepAgain);
    try {
      co_return recordOf(StepOutcome::done, co_await tools.cleaning.cleanUp(tools.lane, step, tools.permit));
    } catch (const Error& error) {
      failure = error;
    } catch (const base::Cancelled&) {
      throw;
    } catch (const base::Error&) {  // its words are nobody's
      failure = Error(Error::Code::protocol, "what the BMC answered cannot be read");
    }
    if (failure->code() == Error::Code::notPermitted) throw *failure;
    if (!isWorthAnotherTry(*failure)) break;
  }
  const bool isOffered = failure->code() != Error::Code::unsupported;
  co_return recordOf(isOffered ? StepOutcome::failed : StepOutcome::skipped, failure->what());
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
