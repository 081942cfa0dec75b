#include "base/task.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/parking.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/system_error.hpp>

#include <cassert>
#include <list>

namespace asio = boost::asio;

namespace ingot::base {
namespace {

struct Member {
  std::string name;
  asio::cancellation_signal stop;
  bool stopped = false;
  std::list<std::shared_ptr<Member>>::iterator place;
};

}  // namespace

struct TaskGroup::State : std::enable_shared_from_this<State> {
  State(Executor e, Log l) : executor(std::move(e)), log(std::move(l)) {}

  Executor executor;
  Log log;
  std::list<std::shared_ptr<Member>> members;
  std::list<std::shared_ptr<Parking>> watchers;  // close() and join() in progress
  bool closed = false;

  void start(const std::shared_ptr<Member>& member, Task<void> task) {
    auto ended = [self = shared_from_this(), member](const std::exception_ptr& why) { self->ended(member, why); };
    asio::co_spawn(executor, underOurRules(std::move(task)),
                   asio::bind_cancellation_slot(member->stop.slot(), std::move(ended)));
  }

  void ended(const std::shared_ptr<Member>& member, const std::exception_ptr& why) {
    if (why) report(member->name, why);
    leave(member);
  }

  void leave(const std::shared_ptr<Member>& member) {
    members.erase(member->place);
    if (!members.empty()) return;
    for (const auto& watcher : std::exchange(watchers, {})) watcher->wake();
  }

  void report(const std::string& name, const std::exception_ptr& why) const {
    try {
      std::rethrow_exception(why);
    } catch (const Cancelled&) {
    } catch (const boost::system::system_error& e) {
      if (e.code() != asio::error::operation_aborted) log.error("task failed", {{"task", name}, {"error", e.what()}});
    } catch (const std::exception& e) {
      log.error("task failed", {{"task", name}, {"error", e.what()}});
    }
  }
};

TaskGroup::TaskGroup(Executor executor, Log log)
    : state_(std::make_shared<State>(std::move(executor), std::move(log))) {}

// While an exception unwinds, the loop is going down with everything on it; that error must not be hidden by an abort.
TaskGroup::~TaskGroup() {
  assert((state_->members.empty() || std::uncaught_exceptions() > 0) &&
         "TaskGroup destroyed with running tasks: co_await close() first");
}

void TaskGroup::spawn(std::string name, Task<void> task) {
  if (state_->closed) return;
  auto member = std::make_shared<Member>();
  member->name = std::move(name);
  member->place = state_->members.insert(state_->members.end(), member);
  asio::post(state_->executor, [state = state_, member, task = std::move(task)]() mutable {
    if (member->stopped) return state->leave(member);
    state->start(member, std::move(task));
  });
}

Task<void> TaskGroup::close() {
  const auto state = state_;
  state->closed = true;
  for (const auto& member : std::list(state->members)) {
    member->stopped = true;
    member->stop.emit(asio::cancellation_type::terminal);
  }
  co_await join();
}

Task<void> TaskGroup::join() {
  const auto state = state_;
  while (!state->members.empty()) {
    const auto parking = std::make_shared<Parking>();
    state->watchers.push_back(parking);
    (void)co_await parking->wait(false);
  }
}

std::size_t TaskGroup::running() const { return state_->members.size(); }

}  // namespace ingot::base
