#include "tests/support/ironic/node.hpp"

#include <fmt/format.h>

namespace ingot::tests::fake {

namespace {

bool waits(State state) {
  return state == State::inspectWait || state == State::cleanWait || state == State::deployWait ||
         state == State::serviceWait;
}

// target_provision_state as stored next to a state that nothing is under way in.
std::string restingTarget(State state) {
  switch (state) {
    case State::cleanFailed: return "available";
    case State::inspectFailed: return "manageable";
    case State::deployFailed:
    case State::adoptFailed:
    case State::serviceHold:
    case State::serviceFailed: return "active";
    default: return "";  // also in error, which is stable
  }
}

// Of the entry that a failure leaves in the history.
std::string_view eventTypeOf(State failed) {
  switch (failed) {
    case State::deployFailed: return "deploying";
    case State::cleanFailed: return "cleaning";
    case State::inspectFailed: return "introspection";
    case State::adoptFailed: return "adoption";
    case State::error: return "unprovision";
    case State::enroll: return "verify";
    case State::serviceFailed: return "servicing";
    default: return "conductor";
  }
}

bool oneOf(State state, std::initializer_list<State> states) {
  return std::find(states.begin(), states.end(), state) != states.end();
}

json::Value textOrNull(const std::string& text) { return text.empty() ? json::Value() : json::Value(text); }

}  // namespace

Node::Node(json::Object fields, std::shared_ptr<FakeMachine> server, const FakeIronicOptions& options,
           base::Clock& clock)
    : record(std::move(fields)),
      machine(std::move(server)),
      options_(options),
      clock_(clock),
      nextSync_(clock.now() + options.powerSyncInterval) {
  stamp();
}

State Node::state() const { return json::enumFromText<State>(text("provision_state")).value_or(State::unknown); }

void Node::stamp() { record["provision_updated_at"] = base::formatMicroTime(clock_.wall()); }

void Node::enter(State state, std::string lastError) {
  work_.reset();
  record["provision_state"] = json::textOf(state);
  record["target_provision_state"] = textOrNull(restingTarget(state));
  record["last_error"] = nullptr;
  if (!lastError.empty()) noteError(eventTypeOf(state), lastError);
  record["reservation"] = lockedByOther ? json::Value("other") : json::Value();
  stamp();
}

void Node::noteError(std::string_view eventType, const std::string& error) {
  record["last_error"] = error;
  history.push_back({{"created_at", base::formatMicroTime(clock_.wall())},
                     {"severity", "ERROR"},
                     {"event_type", eventType},
                     {"event", error}});
}

void Node::setLockedByOther(bool locked) {
  lockedByOther = locked;
  record["reservation"] = locked ? json::Value("other") : json::Value();
}

std::string Node::work() const {
  if (work_) return fmt::format("it is \"{}\"", json::textOf(work_->phases[work_->now].state));
  if (power_) return fmt::format("its power is going to \"{}\"", power_->target);
  return "";
}

void Node::settle() {
  while (work_ && clock_.now() >= work_->until && !(stalled && waits(state()))) {
    if (work_->now + 1 < work_->phases.size()) {
      ++work_->now;
      work_->until += work_->phases[work_->now].lasts;
      showPhase();
    } else {
      const auto finish = std::move(work_->finish);
      work_.reset();
      finish();
    }
  }
  if (power_ && clock_.now() >= power_->until) finishPower();
  if (clock_.now() >= nextSync_) syncPower();
  if (nextRecovery_ && clock_.now() >= *nextRecovery_) recoverPower();
}

void Node::start(std::vector<Phase> phases, State target, std::function<void()> finish) {
  undone_ = false;
  record["target_provision_state"] = json::textOf(target);
  record["last_error"] = nullptr;
  const base::MonoTime until = clock_.now() + phases.front().lasts;
  work_ = Work{std::move(phases), 0, until, std::move(finish)};
  showPhase();
}

void Node::showPhase() {
  const State now = work_->phases[work_->now].state;
  record["provision_state"] = json::textOf(now);
  record["reservation"] = waits(now) ? json::Value() : json::Value("conductor-1");
  if (waits(now) && machine) machine->setPower(true);  // the ramdisk runs
  if (machine) record["power_state"] = machine->poweredOn() ? "power on" : "power off";
  stamp();
}

void Node::fail(Verb verb, State failed, std::string_view whatHappened) {
  const std::string reason = broken[verb];
  broken.erase(verb);
  enter(failed, reason.empty() ? std::string(whatHappened) : reason);
}

Refusal Node::lockedRefusal() const {
  return {409, fmt::format("Node {} is locked by host {}, please retry after the current operation is completed.",
                           text("uuid"), text("reservation"))};
}

Refusal Node::wrongState(std::string_view verb) const {
  return {400,
          fmt::format("The requested action \"{}\" can not be performed on node \"{}\" while it is in state \"{}\".",
                      verb, text("uuid"), text("provision_state"))};
}

void Node::manage() {
  start({{State::verifying, options_.shortWork}}, State::manageable, [this] {
    if (machine && !machine->unreachable().empty()) broken[Verb::manage] = machine->unreachable();
    if (breaks(Verb::manage)) return fail(Verb::manage, State::enroll, "Failed to get power state");
    enter(State::manageable);
    if (machine) record["power_state"] = machine->poweredOn() ? "power on" : "power off";
  });
}

// Work that boots a ramdisk or switches the machine off fails before its first step where power is out of order.
void Node::breakWithoutPower(Verb verb, std::string_view whatFails) {
  const std::string trouble = powerTrouble();
  if (!trouble.empty() && !breaks(verb)) broken[verb] = fmt::format("{}: {}", whatFails, trouble);
}

void Node::clean(State target, bool manual, bool ramdisk) {
  const Verb verb = manual ? Verb::clean : Verb::provide;
  const bool skipped = !manual && json::boolAt(record, {"automated_clean"}) == std::optional(false);
  const bool boots = !skipped && ramdisk;
  const bool unable = boots && !powerTrouble().empty();
  if (unable) breakWithoutPower(verb, fmt::format("Failed to prepare node {} for cleaning", text("uuid")));
  std::vector<Phase> phases{{State::cleaning, options_.shortWork}};
  if (boots && !unable) {
    phases.push_back({State::cleanWait, options_.ramdiskWork});
    phases.push_back({State::cleaning, options_.shortWork});
  }
  start(std::move(phases), target, [this, verb, target, manual, skipped, stepsRan = ramdisk && !unable] {
    if (breaks(verb)) {
      fail(verb, State::cleanFailed, "Cleaning failed");
      if (manual) record["target_provision_state"] = "manageable";
      if (stepsRan) hold("clean failure");
      return;
    }
    if (!skipped) switchOff();
    enter(target);
  });
}

void Node::switchOff() {
  if (machine) machine->setPower(false);
  record["power_state"] = "power off";
}

void Node::inspect() {
  const bool agent = text("inspect_interface") == "agent";
  std::vector<Phase> phases{{State::inspecting, options_.shortWork}};
  if (agent) phases.push_back({State::inspectWait, options_.ramdiskWork});
  start(std::move(phases), State::manageable, [this] {
    if (breaks(Verb::inspect)) return fail(Verb::inspect, State::inspectFailed, "Inspection failed");
    if (!inventory) inventory = json::Object{{"inventory", json::Object()}, {"plugin_data", json::Object()}};
    enter(State::manageable);
    if (machine) machine->setPower(false);
    record["power_state"] = "power off";
  });
}

// A boot interface that boots in another way has no hand in what is in the drives.
void Node::ejectMedia() {
  if (machine && text("boot_interface").ends_with("virtual-media")) machine->ejectMedia();
}

void Node::deploy() {
  if (!powerTrouble().empty()) {
    breakWithoutPower(Verb::deploy, "Failed to prepare to deploy");
    return start({{State::deploying, options_.shortWork}}, State::active,
                 [this] { fail(Verb::deploy, State::deployFailed, ""); });
  }
  start({{State::deploying, options_.shortWork},
         {State::deployWait, options_.ramdiskWork},
         {State::deploying, options_.shortWork}},
        State::active, [this] {
          if (breaks(Verb::deploy)) return fail(Verb::deploy, State::deployFailed, "Deploy failed");
          enter(State::active);
          ejectMedia();
          if (machine) machine->setPower(true);
          record["power_state"] = "power on";
        });
}

void Node::undeploy() {
  start({{State::deleting, options_.shortWork}}, State::available, [this] {
    if (machine && machine->poweredOn()) breakWithoutPower(Verb::undeploy, "Failed to tear down");
    if (breaks(Verb::undeploy)) return fail(Verb::undeploy, State::error, "Tear down failed");
    record["instance_info"] = json::Object();
    record["instance_uuid"] = nullptr;
    ejectMedia();
    switchOff();  // also where nothing is cleaned
    clean(State::available, false);
  });
}

void Node::service(bool ramdisk) {
  std::vector<Phase> phases{{State::servicing, options_.shortWork}};
  if (ramdisk) {
    phases.push_back({State::serviceWait, options_.ramdiskWork});
    phases.push_back({State::servicing, options_.shortWork});
  }
  start(std::move(phases), State::active, [this, ramdisk] {
    if (!breaks(Verb::service)) return enter(State::active);
    if (!ramdisk) return letGo(Verb::service);
    fail(Verb::service, State::serviceFailed, "Service failed");
    hold("service failure");
  });
}

// Fails a service that needs a ramdisk to know its steps and has none: Ironic's worker thread dies, and the node stays
// in its state, with the error and without a reservation.
void Node::letGo(Verb verb) {
  record["last_error"] = "Async execution failed with error: " + broken[verb];
  broken.erase(verb);
  record["reservation"] = lockedByOther ? json::Value("other") : json::Value();
}

// Puts the node into maintenance, as Ironic does when a step of the work fails, but not when it fails before the first
// step.
void Node::hold(std::string_view fault) {
  record["maintenance"] = true;
  record["fault"] = std::string(fault);
}

void Node::adopt() {
  start({{State::adopting, options_.shortWork}}, State::active, [this] {
    if (breaks(Verb::adopt)) return fail(Verb::adopt, State::adoptFailed, "Adoption failed");
    enter(State::active);
  });
}

std::optional<Refusal> Node::abort() {
  switch (state()) {
    case State::inspectWait: enter(State::inspectFailed, "Inspection was aborted by request."); return std::nullopt;
    case State::cleanWait: {
      const std::string target = text("target_provision_state");
      enter(State::cleanFailed, "By request, the clean operation was aborted");
      record["target_provision_state"] = target;
      return std::nullopt;
    }
    case State::deployWait:
      if (options_.maxMinor < 110) return wrongState("abort");
      enter(State::deployFailed, "By request, the deploy operation was aborted");
      return std::nullopt;
    case State::serviceFailed:
      if (maintenance())
        return Refusal{409,
                       fmt::format("Can not abort service on node \"{}\" while it is in maintenance", text("uuid"))};
      [[fallthrough]];
    case State::serviceWait:
    case State::serviceHold: enter(State::active, "By request, the service operation was aborted"); return std::nullopt;
    default: return wrongState("abort");
  }
}

std::optional<Refusal> Node::changeState(Verb verb, const json::Value& body) {
  const State now = state();
  const auto refuse = [&]() -> Refusal { return locked() ? lockedRefusal() : wrongState(json::textOf(verb)); };
  if (lockedByOther) return lockedRefusal();
  const bool ramdisk = !json::boolAt(body, {"disable_ramdisk"}).value_or(false);
  const bool startsWork = verb == Verb::deploy || verb == Verb::clean || verb == Verb::service;
  if (startsWork && maintenance()) return Refusal{400, fmt::format("The node {} is in maintenance", text("uuid"))};
  switch (verb) {
    case Verb::manage:
      if (now == State::enroll) return manage(), std::nullopt;
      if (!oneOf(now, {State::available, State::cleanFailed, State::inspectFailed, State::adoptFailed}))
        return refuse();
      return enter(State::manageable, text("last_error")), std::nullopt;
    case Verb::provide:
      if (now != State::manageable) return refuse();
      return clean(State::available, false), std::nullopt;
    case Verb::clean:
      if (now != State::manageable) return refuse();
      if (!json::arrayAt(body, {"clean_steps"})) return Refusal{400, "\"clean_steps\" is required"};
      return clean(State::manageable, true, ramdisk), std::nullopt;
    case Verb::inspect:
      if (!oneOf(now, {State::manageable, State::inspectFailed})) return refuse();
      return inspect(), std::nullopt;
    case Verb::adopt:
      if (!oneOf(now, {State::manageable, State::adoptFailed})) return refuse();
      return adopt(), std::nullopt;
    case Verb::deploy:
      if (!oneOf(now, {State::available, State::deployFailed})) return refuse();
      return deploy(), std::nullopt;
    case Verb::undeploy:
      if (!oneOf(now, {State::active, State::deployWait, State::deployFailed, State::error, State::serviceWait,
                       State::serviceFailed}))
        return refuse();
      return undeploy(), std::nullopt;
    case Verb::abort:
      return waits(now) || oneOf(now, {State::serviceHold, State::serviceFailed}) ? abort() : std::optional(refuse());
    case Verb::service:
      if (!oneOf(now, {State::active, State::serviceFailed, State::serviceHold})) return refuse();
      if (!json::arrayAt(body, {"service_steps"})) return Refusal{400, "\"service_steps\" is required"};
      return service(ramdisk), std::nullopt;
  }
  return refuse();
}

}  // namespace ingot::tests::fake
