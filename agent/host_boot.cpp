// What the host boots from, set when the coordinator asks for it.
#include "agent/host_observed.hpp"
#include "agent/job_writes.hpp"
#include "bmc/boot_preparation.hpp"

namespace ingot::agent {

namespace {

void refuseBoot(wire::BootResult& result, std::string_view code, std::string why) {
  result.outcome = "refused";
  result.errorCode = code;
  result.error = std::move(why);
}

// nullopt: the coordinator speaks of something that this version does not know.
std::optional<bmc::BootPlan> planOf(const wire::BootRequest& request) {
  const auto device = bmc::parseBootDevice(request.device);
  const auto mode = bmc::parseBootMode(request.mode);
  if (!device || (!mode && !request.mode.empty())) return std::nullopt;
  return bmc::BootPlan{.image = request.image,
                       .mayStay = request.mayStay,
                       .whileOff = request.whileOff,
                       .setting = {.device = *device, .persistent = request.persistent, .mode = mode}};
}

}  // namespace

void HostSession::prepareBoot(const wire::BootRequest& request) {
  wire::BootResult result{.host = request.host, .token = request.token};
  const auto plan = planOf(request);
  if (!plan)
    refuseBoot(result, "unsupported", "this agent does not know how to boot so: " + request.device + request.mode);
  else if (!lease_.covers(request.token))
    refuseBoot(result, "stale-token", "the request belongs to another lease");
  else if (!lease_.validAt(runtime_.clock.now()))
    refuseBoot(result, "no-lease", "the lease for this host has ended");
  else if (running_ || preparesBoot_)
    refuseBoot(result, "busy", "another request is being carried out");
  else if (auto why = erasureObstacle(); !why.empty())
    refuseBoot(result, "busy", std::move(why));
  else if (!driver_)
    refuseBoot(result, observed_->errorCode, observed_->error);
  if (!result.outcome.empty()) return report_(std::move(result));
  preparesBoot_ = true;
  tasks_.spawn("prepare a boot of " + grant_.name, carryOutBoot(*plan, std::move(result)));
}

base::Task<void> HostSession::carryOutBoot(bmc::BootPlan plan, wire::BootResult result) {
  const auto driver = driver_;
  JobWrites writes(*this, [&result] { return result.token; });
  try {
    result.lasts = co_await bmc::prepareBoot({*driver->power, *driver->boot, driver->media}, bmc::Lane::operatorCommand,
                                             std::move(plan), writes.permit()) == bmc::BootLasts::always;
    result.outcome = "done";
  } catch (const bmc::Error& error) {
    const bool lostLease = error.code() == bmc::Error::Code::notPermitted;
    result.outcome = lostLease ? "refused" : "failed";
    result.errorCode = lostLease ? "no-lease" : toText(error.code());
    result.error = error.what();
  } catch (const base::Cancelled&) {
    preparesBoot_ = false;
    writes.abandon();
    throw;
  } catch (const std::exception& error) {  // nothing that a BMC can do: ours
    result.outcome = "failed";
    result.errorCode = "internal";
    result.error = error.what();
  }
  writes.over();
  preparesBoot_ = false;
  runtime_.log.info("what a host boots from was asked for",
                    {{"host", grant_.name}, {"outcome", result.outcome}, {"error", result.error}});
  report_(std::move(result));
}

}  // namespace ingot::agent
