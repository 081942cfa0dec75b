// The host's drives, erased when the coordinator asks for it.
#include "agent/erasure_records.hpp"
#include "agent/host_observed.hpp"
#include "agent/job_writes.hpp"
#include "bmc/drive_erasure.hpp"
#include "bmc/model/unerased.hpp"

namespace ingot::agent {

namespace {

// A coordinator that stands by its order asks every half minute: a host that was paused, say, is begun nothing more on.
constexpr base::Duration askedStands = std::chrono::minutes(2);
constexpr base::Duration betweenPercentages = std::chrono::seconds(10);
// A coordinator that confirms nothing, being of an earlier version, repeats its order within this time.
constexpr base::Duration confirmedWithin = std::chrono::seconds(45);

// nullopt: the coordinator speaks of something that this version does not know.
std::optional<bmc::EraseOrder> orderOf(const wire::EraseRequest& request) {
  const auto depth = bmc::parseEraseDepth(request.depth);
  if (!depth) return std::nullopt;
  bmc::EraseOrder order{.machineSerial = request.machineSerial, .depth = *depth, .depths = {}, .known = request.known};
  for (const auto& word : request.steps) {
    const auto step = bmc::parseCleaningStep(word);
    if (!step) return std::nullopt;
    order.steps.push_back(*step);
  }
  for (const auto& [serial, word] : request.depths) {
    const auto one = bmc::parseEraseDepth(word);
    if (!one) return std::nullopt;
    order.depths[serial] = *one;
  }
  return order;
}

// However it ends.
class Looking {
 public:
  explicit Looking(bool& looks) : looks_(looks) {}
  ~Looking() { looks_ = false; }
  Looking(const Looking&) = delete;
  Looking& operator=(const Looking&) = delete;

 private:
  bool& looks_;
};

// Where the BMC has them is of no use to others.
std::vector<bmc::DriveErasure> shown(std::vector<bmc::DriveErasure> drives) {
  for (auto& drive : drives) {
    drive.path.clear();
    drive.task.clear();
  }
  return drives;
}

}  // namespace

void HostSession::eraseDrives(const wire::EraseRequest& request) {
  const bool isHeld = erasing_ || !recordTrouble_.empty() || !settings_.erasures->isOnDiskOnly(request.host);
  if (isHeld) return eraseDrives(request, {});
  tasks_.spawn("read how an erasure of " + grant_.name + " has ended", eraseOnceRead(request));
}

base::Task<void> HostSession::eraseOnceRead(wire::EraseRequest request) {
  EndedErasure ended;
  try {
    ended.record = co_await settings_.erasures->readEnded(request.host);
  } catch (const base::Cancelled&) {
    throw;
  } catch (const base::Error& error) {
    ended.obstacle = error.what();
  }
  eraseDrives(request, std::move(ended));
}

// What was read is old where there is another by now.
void HostSession::eraseDrives(const wire::EraseRequest& request, EndedErasure ended) {
  const auto answer = [&](std::string outcome, std::string code = {}, std::string why = {}) {
    report_(wire::EraseReport{.host = request.host,
                              .token = request.token,
                              .job = request.job,
                              .outcome = std::move(outcome),
                              .errorCode = std::move(code),
                              .error = std::move(why)});
  };
  const auto order = orderOf(request);
  if (!order) return answer("refused", "unsupported", "this agent does not know how to erase drives so");
  const bool begins = !request.resumeOnly;
  constexpr auto anotherOne = "another erasure of the host's drives is under way";
  if (!recordTrouble_.empty()) {
    lookForRecord();
    return answer("refused", "busy", erasureObstacle());
  }
  if (erasing_ && erasing_->record.job != request.job) return answer("refused", "busy", anotherOne);
  if (erasing_) {
    if (request.token < erasing_->token) return;  // overtaken by a later one
    erasing_->token = request.token;
    erasing_->order = order;
    erasing_->begins = begins;
    erasing_->askedAt = runtime_.clock.now();
    erasing_->confirmed = request.confirms;
    erasing_->isConfirming = erasing_->isConfirming || request.confirms != 0;
    ++erasing_->orders;
    ordered_.notifyAll();
    if (request.confirms > 0) return;
    return reportErasure("running");
  }
  bmc::ErasureRecord record;
  try {
    auto held = settings_.erasures->find(request.host);
    if (!held && !ended.obstacle.empty()) throw base::Error(ended.obstacle);
    record = std::move(held ? held : ended.record).value_or(bmc::ErasureRecord{});
  } catch (const base::Error& error) {  // what was erased would be erased again
    return answer("refused", "busy", error.what());
  }
  if (record.job != request.job && isUnderWay(record)) {  // nobody follows it, as it could not be for a while
    goOnWithErasure();
    return answer("refused", "busy", anotherOne);
  }
  if (record.job != request.job) record = {.job = request.job};
  // The order may have been changed since it ended.
  const bool isLess = !bmc::firstUnerased(*order, record.drives).empty() || bmc::firstUntaken(*order, record.steps);
  if (record.endedAt && begins && isLess) record.endedAt.reset();
  if (record.endedAt) {
    erasing_ = std::make_unique<Erasing>(Erasing{.token = request.token, .record = std::move(record)});
    reportErasure("done");
    erasing_.reset();
    return;
  }
  if (!driver_) return answer("refused", isUnderWay(record) ? "busy" : observed_->errorCode, observed_->error);
  if (begins) {
    if (!lease_.covers(request.token)) return answer("refused", "stale-token", "the request belongs to another lease");
    if (!lease_.validAt(runtime_.clock.now()))
      return answer("refused", "no-lease", "the lease for this host has ended");
    if (running_ || preparesBoot_) return answer("refused", "busy", "another request is being carried out");
  }
  if (!driver_->erasure && !isUnderWay(record))
    return begins ? answer("failed", "unsupported", "the protocol of this BMC tells of no drives") : answer("idle");
  erasing_ = std::make_unique<Erasing>(Erasing{.token = request.token,
                                               .record = std::move(record),
                                               .order = order,
                                               .begins = begins,
                                               .isConfirming = request.confirms != 0,
                                               .askedAt = runtime_.clock.now()});
  if (begins) reportErasure("running");
  tasks_.spawn("erase the drives of " + grant_.name, carryOutErasure());
}

std::string HostSession::erasureObstacle() const {
  if (erasing_) return "the host's drives are being erased: its power stays as it is until then";
  if (recordTrouble_.empty()) return {};
  return "whether the host's drives are being erased is not known: " + recordTrouble_;
}

// The process before this one, or the session with the old password, may have left drives that are being erased.
void HostSession::goOnWithErasure() {
  if (erasing_ || !driver_) return;
  std::optional<bmc::ErasureRecord> record;
  try {
    record = settings_.erasures->find(grant_.host);
    recordTrouble_.clear();
  } catch (const base::Error& error) {  // it is looked for again with each poll of the power
    if (std::exchange(recordTrouble_, error.what()).empty())
      runtime_.log.error("the record of an erasure cannot be read: the host keeps its power until it can",
                         {{"host", grant_.name}, {"error", error.what()}});
    return;
  }
  if (!record || !isUnderWay(*record)) return;
  erasing_ = std::make_unique<Erasing>(Erasing{.token = {}, .record = std::move(*record)});
  tasks_.spawn("erase the drives of " + grant_.name, carryOutErasure());
}

void HostSession::lookForRecord() {
  if (!std::exchange(looksForRecord_, true)) tasks_.spawn("look for the erasure of " + grant_.name, findRecord());
}

base::Task<void> HostSession::findRecord() {
  {
    const Looking looking(looksForRecord_);
    co_await settings_.erasures->readAgain(grant_.host);
  }
  goOnWithErasure();
}

base::Task<void> HostSession::saveErasure() {
  co_await settings_.erasures->save(grant_.host, erasing_->record);
  reportErasure("running");
}

base::Task<void> HostSession::carryOutErasure() {
  const auto driver = driver_;
  auto& erasing = *erasing_;
  const auto order = erasing.order;
  const bool begins = erasing.begins;
  const auto isAsAsked = [&] { return erasing.begins == begins && (!begins || erasing.order == order); };
  const auto isFresh = [&] { return runtime_.clock.now() - erasing.askedAt < askedStands; };
  const auto isOrdered = [&] { return begins && isAsAsked(); };
  // What waits for its turn is not sent any more when the order is another one by then.
  const auto requireOrder = [&isOrdered] {
    if (!isOrdered())
      throw bmc::Error(bmc::Error::Code::notPermitted, "the order to erase the drives was changed or called off");
  };
  JobWrites writes(*this, [&erasing] { return erasing.token; }, requireOrder);
  const auto tools = [&]() -> bmc::ErasureTools {
    return {.clock = runtime_.clock,
            .identity = *driver->identity,
            .drives = *driver->erasure,
            .cleaning = *driver->cleaning,
            .lane = bmc::Lane::reconcile,
            .permit = writes.permit(),
            .save = [this] { return saveErasure(); },
            .progressed =
                [this, &erasing] {
                  if (runtime_.clock.now() - erasing.reportedAt >= betweenPercentages) reportErasure("running");
                },
            .mayBegin = [&] { return isOrdered() && isFresh(); },
            .confirm = [&] { return isErasureConfirmed(order); }};
  };
  runtime_.log.info(
      begins ? "the drives of a host are being erased" : "looking what is under way on the drives of a host",
      {{"host", grant_.name}, {"job", erasing.record.job}});
  std::string outcome = "done", code, why;
  try {
    if (!driver->erasure) {
      co_await untilOtherAccess(driver);
      outcome = "running";
    } else if (begins) {
      co_await bmc::eraseDrives(tools(), *order, erasing.record);
    } else {
      co_await bmc::followErasures(tools(), erasing.record);
      if (!co_await isAllErased(tools(), erasing.order)) {
        co_await requireIdleDrives(driver);
        outcome = "idle";
      }
    }
  } catch (const bmc::Error& error) {
    const bool lostRight = error.code() == bmc::Error::Code::notPermitted;
    const bool mayWait = (!begins || !isFresh()) && error.code() == bmc::Error::Code::busy;  // as long as it takes
    outcome = lostRight || mayWait ? "refused" : "failed";
    code = lostRight ? "no-lease" : toText(error.code());
    why = error.what();
  } catch (const base::Cancelled&) {
    writes.abandon();
    erasing_.reset();
    throw;
  } catch (const base::Error& error) {
    outcome = "failed";
    code = "journal";
    why = error.what();
  } catch (const std::exception& error) {  // nothing that a BMC can do: ours
    outcome = "failed";
    code = "internal";
    why = error.what();
  }
  writes.over();
  if (!isAsAsked() && outcome != "done") {  // something else was asked for meanwhile
    outcome = "refused";
    code = "busy";
  }
  runtime_.log.info("the erasure of a host's drives has ended",
                    {{"host", grant_.name}, {"job", erasing.record.job}, {"outcome", outcome}, {"error", why}});
  reportErasure(outcome, code, why);
  erasing_.reset();
  hardwareMayDiffer(std::chrono::minutes(1));
  if (driver != driver_) goOnWithErasure();
}

// The coordinator is asked whether what is being carried out still stands: a drive that is erased is erased for good,
// and what was heard last may be half a minute old. One that never answers such a question, being of an earlier
// version, repeats its order meanwhile.
base::Task<bool> HostSession::isErasureConfirmed(std::optional<bmc::EraseOrder> order) {
  auto& erasing = *erasing_;
  const auto orders = erasing.orders;
  const auto id = ++lastConfirm_;
  report_(wire::EraseConfirm{.host = grant_.host, .token = erasing.token, .job = erasing.record.job, .id = id});
  const auto deadline = runtime_.clock.now() + confirmedWithin;
  const auto isAsOrdered = [&] { return erasing.begins && erasing.order == order; };
  bool isWaiting = true;
  while (erasing.confirmed != id && isAsOrdered() && isWaiting)
    isWaiting = co_await ordered_.waitUntil(runtime_.clock, deadline);
  const bool isAnswered = erasing.confirmed == id || (!erasing.isConfirming && erasing.orders > orders);
  co_return isAnswered ? isAsOrdered() : false;
}

// By what was begun before: a last look ends it then. What stands in the way of that is found by who begins anew.
base::Task<bool> HostSession::isAllErased(bmc::ErasureTools tools, std::optional<bmc::EraseOrder> order) {
  const auto& drives = erasing_->record.drives;
  const bool hasErased =
      std::ranges::any_of(drives, [](const auto& drive) { return stateOf(drive) == bmc::ErasureState::erased; });
  if (!order || order->known.empty() || !hasErased) co_return false;
  try {
    co_await bmc::eraseDrives(std::move(tools), *order, erasing_->record);
    co_return true;
  } catch (const bmc::Error& error) {
    if (error.code() == bmc::Error::Code::notPermitted) throw;
    co_return false;
  }
}

// What is under way there is not seen as the BMC is reached now: the host keeps its power until it is reached
// otherwise.
base::Task<void> HostSession::untilOtherAccess(std::shared_ptr<bmc::Driver> driver) {
  while (driver == driver_) co_await accessed_.wait();
}

// Somebody else may have begun to erase them: an agent that is gone now. Error{busy} then.
base::Task<void> HostSession::requireIdleDrives(std::shared_ptr<bmc::Driver> driver) {
  std::vector<bmc::ErasableDrive> drives;
  try {
    drives = co_await driver->erasure->readDrives(bmc::Lane::reconcile);
  } catch (const bmc::Error& error) {
    if (error.code() != bmc::Error::Code::unsupported) throw;
    throw bmc::Error(bmc::Error::Code::busy, error.what());  // one that starts does not show its system yet
  }
  for (const auto& drive : drives)
    if (drive.busy)
      throw bmc::Error(bmc::Error::Code::busy,
                       fmt::format("an operation is under way on the drive {}: the host keeps its power until then",
                                   drive.serialNumber));
}

void HostSession::reportErasure(std::string outcome, std::string code, std::string why) {
  const auto& record = erasing_->record;
  erasing_->reportedAt = runtime_.clock.now();
  if (erasing_->token == wire::Token{}) return;  // nobody has asked yet
  report_(wire::EraseReport{.host = grant_.host,
                            .token = erasing_->token,
                            .job = record.job,
                            .outcome = std::move(outcome),
                            .errorCode = std::move(code),
                            .error = std::move(why),
                            .manufacturer = record.manufacturer,
                            .model = record.model,
                            .serialNumber = record.serialNumber,
                            .systemUuid = record.systemUuid,
                            .bmcFirmware = record.bmcFirmware,
                            .drives = shown(record.drives),
                            .steps = record.steps});
}

}  // namespace ingot::agent
