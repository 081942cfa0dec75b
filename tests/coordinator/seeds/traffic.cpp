#include "tests/coordinator/seeds/traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace ingot::tests::seeds {

namespace {

constexpr std::size_t kLongestHistory = 400;

constexpr std::array kWatched = {"baremetalhosts",     "metal3machines",
                                 "machines",           "metal3dataclaims",
                                 "metal3datas",        "ipclaims",
                                 "ipaddresses",        "secrets",
                                 "clusters",           "ippools",
                                 "metal3remediations", "nodes",
                                 "ipaddressclaims",    "metal3machinetemplates",
                                 "machinesets",        "metal3datatemplates",
                                 "metal3clusters"};

bool isWatched(std::string_view resource) { return std::ranges::find(kWatched, resource) != kWatched.end(); }

}  // namespace

void Traffic::begin(Fates fates) {
  fates_.emplace(std::move(fates));
  dead_ = hasStruck_ = false;
  begun_ = loop_.clock.now();
  holds_.clear();
  awaitsNews_.clear();
  history_.clear();
}

void Traffic::end() { loop_.run(tasks_.close()); }

void Traffic::die() {
  dead_ = true;
  for (const auto& hold : holds_) endUnmet(std::exchange(hold->blow, nullptr));
  for (const auto& one : awaitsNews_) endUnmet(one.blow);
  holds_.clear();
  awaitsNews_.clear();
}

std::shared_ptr<Blow> Traffic::pass(const std::string& write, const std::string& about) {
  endHolds();
  auto blow = fates_->pass(write);
  hasStruck_ = hasStruck_ || blow;
  tell(fmt::format("{} {}{}", write, about, blow ? fmt::format("  ← {}", seeds::text(blow->pair.fault)) : ""));
  return blow;
}

void Traffic::holdBack(const std::string& resource, std::shared_ptr<Blow> blow) {
  const auto length = std::chrono::seconds(2 + random().below(100));
  holds_.push_back(std::make_shared<Hold>(resource, loop_.clock.now() + length, std::move(blow)));
  tell(fmt::format("watches of {} stand still for {} s", resource, length.count()));
}

void Traffic::holdBackAnother(const std::string& resource, std::shared_ptr<Blow> blow) {
  if (blow->isWanted) return awaitsNews_.push_back({resource, std::move(blow)});
  const std::size_t at = random().below(kWatched.size());
  holdBack(kWatched[at] == resource ? kWatched[(at + 1) % kWatched.size()] : kWatched[at], std::move(blow));
}

void Traffic::hearNews(const std::string& resource) {
  if (!isWatched(resource)) return;
  for (auto& one : std::exchange(awaitsNews_, {}))
    if (one.after == resource)
      awaitsNews_.push_back(std::move(one));
    else
      holdBack(resource, std::move(one.blow));
}

base::Task<void> Traffic::untilTold(std::string resource, bool isNews) {
  if (isNews) hearNews(resource);
  for (auto hold = holdOn(resource); hold; hold = holdOn(resource)) {
    if (isNews) ++hold->waiting;
    co_await wait(hold, isNews);
  }
}

// News counts once it has been late: not when who waits for it is gone before.
base::Task<void> Traffic::wait(std::shared_ptr<Hold> hold, bool isNews) {
  try {
    co_await loop_.clock.sleepUntil(hold->until);
  } catch (const base::Cancelled&) {
    if (isNews) --hold->waiting;
    throw;
  }
  if (isNews && hold->blow && !dead_) fates_->end(*hold->blow, true);
}

std::shared_ptr<Traffic::Hold> Traffic::holdOn(const std::string& resource) const {
  const auto holds = [&](const auto& hold) { return hold->resource == resource && hold->until > loop_.clock.now(); };
  const auto found = std::ranges::find_if(holds_, holds);
  return found == holds_.end() ? nullptr : *found;
}

// One that held nothing back strikes again.
void Traffic::endHolds() {
  std::erase_if(holds_, [this](const auto& hold) {
    if (hold->until > loop_.clock.now()) return false;
    if (hold->waiting == 0) endUnmet(hold->blow);
    return true;
  });
}

void Traffic::endUnmet(const std::shared_ptr<Blow>& blow) {
  if (blow && !blow->done) fates_->end(*blow, false);
}

bool Traffic::isHoldingBack() {
  endHolds();
  return !holds_.empty();
}

void Traffic::doLater(std::string write, base::Task<void> what) {
  tasks_.spawn("done late", late(std::move(write), std::move(what)));
}

base::Task<void> Traffic::late(std::string write, base::Task<void> what) {
  const auto mine = late_.insert(std::move(write));
  co_await std::move(what);
  late_.erase(mine);
}

void Traffic::tell(std::string line) {
  const auto at = std::chrono::duration<double>(loop_.clock.now() - begun_).count();
  history_.push_back(fmt::format("{:9.3f} {}", at, line));
  if (history_.size() > kLongestHistory) history_.pop_front();
}

}  // namespace ingot::tests::seeds
