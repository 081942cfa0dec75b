#include "tests/coordinator/seeds/traffic.hpp"

#include <fmt/format.h>

#include <array>

namespace ingot::tests::seeds {

namespace {

constexpr std::size_t kLongestHistory = 400;

constexpr std::array kWatched = {"baremetalhosts", "metal3machines", "machines",           "metal3dataclaims",
                                 "metal3datas",    "ipclaims",       "ipaddresses",        "secrets",
                                 "clusters",       "ippools",        "metal3remediations", "nodes",
                                 "ipaddressclaims"};

}  // namespace

void Traffic::begin(Fates fates) {
  fates_.emplace(std::move(fates));
  dead_ = hasStruck_ = false;
  begun_ = loop_.clock.now();
  heldUntil_.clear();
  history_.clear();
}

void Traffic::end() { loop_.run(tasks_.close()); }

void Traffic::die() {
  dead_ = true;
  heldUntil_.clear();
}

std::shared_ptr<Blow> Traffic::pass(const std::string& write, const std::string& about) {
  auto blow = fates_->pass(write);
  hasStruck_ = hasStruck_ || blow;
  tell(fmt::format("{} {}{}", write, about, blow ? fmt::format("  ← {}", seeds::text(blow->pair.fault)) : ""));
  return blow;
}

void Traffic::holdBack(const std::string& resource) {
  const auto length = std::chrono::seconds(2 + random().below(100));
  heldUntil_[resource] = loop_.clock.now() + length;
  tell(fmt::format("watches of {} stand still for {} s", resource, length.count()));
}

std::string Traffic::another(const std::string& resource) {
  const std::size_t at = random().below(kWatched.size());
  return kWatched[at] == resource ? kWatched[(at + 1) % kWatched.size()] : kWatched[at];
}

base::Task<void> Traffic::untilTold(std::string resource) {
  for (auto held = heldUntil_.find(resource); held != heldUntil_.end() && held->second > loop_.clock.now();
       held = heldUntil_.find(resource))
    co_await loop_.clock.sleepUntil(held->second);
}

void Traffic::tell(std::string line) {
  const auto at = std::chrono::duration<double>(loop_.clock.now() - begun_).count();
  history_.push_back(fmt::format("{:9.3f} {}", at, line));
  if (history_.size() > kLongestHistory) history_.pop_front();
}

}  // namespace ingot::tests::seeds
