#include "sim/redfish/state.hpp"

namespace ingot::sim::redfish {

namespace {
constexpr std::size_t maxTasks = 32;
}

const Session* Sessions::open(const std::string& user, base::Random& random, base::MonoTime now) {
  expire(now);
  if (all_.size() >= maxSessions) return nullptr;
  all_.push_back({.id = std::to_string(++last_), .token = random.alphanumeric(32), .user = user, .lastUsed = now});
  return &all_.back();
}

const Session* Sessions::use(std::string_view token, base::MonoTime now) {
  expire(now);
  const auto found = std::ranges::find(all_, token, &Session::token);
  if (found == all_.end()) return nullptr;
  found->lastUsed = now;
  return &*found;
}

const Session* Sessions::find(std::string_view id) const {
  const auto found = std::ranges::find(all_, id, &Session::id);
  return found == all_.end() ? nullptr : &*found;
}

void Sessions::close(std::string_view id) {
  std::erase_if(all_, [&](const Session& session) { return session.id == id; });
}

void Sessions::closeOf(std::string_view user) {
  std::erase_if(all_, [&](const Session& session) { return session.user == user; });
}

void Sessions::expire(base::MonoTime now) {
  std::erase_if(all_, [&](const Session& session) { return now - session.lastUsed > sessionIdleLimit; });
}

const TaskRecord& Tasks::start(std::string name, base::MonoTime now, base::Duration takes,
                               std::function<void()> finish) {
  if (all_.size() >= maxTasks) all_.erase(all_.begin());
  all_.push_back({.id = std::to_string(++last_),
                  .name = std::move(name),
                  .started = now,
                  .ends = now + takes,
                  .finish = std::move(finish)});
  return all_.back();
}

void Tasks::settle(base::MonoTime now) {
  for (auto& task : all_)
    if (task.ends <= now && task.finish) std::exchange(task.finish, nullptr)();
}

const TaskRecord* Tasks::find(std::string_view id) const {
  const auto found = std::ranges::find(all_, id, &TaskRecord::id);
  return found == all_.end() ? nullptr : &*found;
}

Subscription* Subscriptions::add(Subscription wanted) {
  if (all_.size() >= maxSubscriptions) return nullptr;
  wanted.id = std::to_string(++last_);
  return &all_.emplace_back(std::move(wanted));
}

Subscription* Subscriptions::find(std::string_view id) {
  const auto found = std::ranges::find(all_, id, &Subscription::id);
  return found == all_.end() ? nullptr : &*found;
}

void Subscriptions::remove(std::string_view id) {
  std::erase_if(all_, [&](const Subscription& one) { return one.id == id; });
}

}  // namespace ingot::sim::redfish
