// The host's drives, erased when the coordinator asks for it.
#include "agent/erasure_records.hpp"
#include "agent/host_observed.hpp"
#include "agent/job_writes.hpp"
#include "bmc/drive_erasure.hpp"

namespace ingot::agent {

namespace {

constexpr base::Duration betweenPercentages = std::chrono::seconds(10);

// nullopt: the coordinator speaks of something that this version does not know.
std::optional<bmc::EraseOrder> orderOf(const wire::EraseRequest& request) {
  const auto depth = bmc::parseEraseDepth(request.depth);
  if (!depth) return std::nullopt;
  bmc::EraseOrder order{.machineSerial = request.machineSerial, .depth = *depth, .depths = {}, .known = request.known};
  for (const auto& [serial, word] : request.depths) {
    const auto one = bmc::parseEraseDepth(word);
    if (!one) return std::nullopt;
    order.depths[serial] = *one;
  }
  return order;
}

bool hasBegun(const bmc::ErasureRecord& record) {
  return std::ranges::any_of(record.drives,
                             [](const auto& drive) { return drive.state == toText(bmc::ErasureState::running); });
}

}  // namespace

void HostSession::eraseDrives(const wire::EraseRequest& request) {
  bmc::ErasureRecord record{.job = request.job};
  const auto answer = [&](std::string outcome, std::string code = {}, std::string why = {}) {
    report_(wire::EraseReport{.host = request.host,
                              .token = request.token,
                              .job = request.job,
                              .outcome = std::move(outcome),
                              .errorCode = std::move(code),
                              .error = std::move(why)});
  };
  if (erasing_ && erasing_->record.job != request.job)
    return answer("refused", "busy", "another erasure of the host's drives is under way");
  if (erasing_) {
    erasing_->token = std::max(erasing_->token, request.token);
    return reportErasure(erasing_->record, "running");
  }
  auto kept = settings_.erasures->find(request.host);
  if (kept && kept->job == request.job) record = std::move(*kept);
  if (record.endedAt) {
    erasing_ = Erasing{.token = request.token, .record = record};
    reportErasure(record, "done");
    erasing_.reset();
    return;
  }
  if (request.resumeOnly && !hasBegun(record)) return answer("unknown-job");
  auto order = orderOf(request);
  if (!order) return answer("refused", "unsupported", "this agent does not know how to erase drives so");
  if (!lease_.covers(request.token)) return answer("refused", "stale-token", "the request belongs to another lease");
  if (!lease_.validAt(runtime_.clock.now())) return answer("refused", "no-lease", "the lease for this host has ended");
  if (running_ || preparesBoot_) return answer("refused", "busy", "another request is being carried out");
  if (!driver_) return answer("refused", observed_->errorCode, observed_->error);
  erasing_ = Erasing{.token = request.token, .record = std::move(record)};
  reportErasure(erasing_->record, "running");
  tasks_.spawn("erase the drives of " + grant_.name, carryOutErasure(std::move(*order)));
}

base::Task<void> HostSession::carryOutErasure(bmc::EraseOrder order) {
  const auto driver = driver_;
  auto& erasing = *erasing_;
  JobWrites writes(*this, [&erasing] { return erasing.token; });
  std::string outcome = "done", code, why;
  runtime_.log.info("the drives of a host are being erased", {{"host", grant_.name}, {"job", erasing.record.job}});
  try {
    co_await bmc::eraseDrives({.clock = runtime_.clock,
                               .driver = *driver,
                               .lane = bmc::Lane::reconcile,
                               .permit = writes.permit(),
                               .save =
                                   [this, &erasing] {
                                     settings_.erasures->save(grant_.host, erasing.record);
                                     reportErasure(erasing.record, "running");
                                   },
                               .progressed =
                                   [this, &erasing] {
                                     if (runtime_.clock.now() - erasing.reportedAt >= betweenPercentages)
                                       reportErasure(erasing.record, "running");
                                   }},
                              std::move(order), erasing.record);
  } catch (const bmc::Error& error) {
    const bool lostLease = error.code() == bmc::Error::Code::notPermitted;
    outcome = lostLease ? "refused" : "failed";
    code = lostLease ? "no-lease" : toText(error.code());
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
  runtime_.log.info("the erasure of a host's drives has ended",
                    {{"host", grant_.name}, {"job", erasing.record.job}, {"outcome", outcome}, {"error", why}});
  const auto record = erasing.record;
  reportErasure(record, outcome, code, why);
  erasing_.reset();
}

void HostSession::reportErasure(const bmc::ErasureRecord& record, std::string outcome, std::string code,
                                std::string why) {
  erasing_->reportedAt = runtime_.clock.now();
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
                            .drives = record.drives});
}

}  // namespace ingot::agent
