#include "tests/coordinator/seeds/run.hpp"

#include "tests/coordinator/seeds/story.hpp"
#include "tests/support/seed_range.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace ingot::tests::seeds {

namespace {

constexpr std::size_t kMostFailures = 3;

int parityOf(Half half) { return half == Half::odd ? 1 : 0; }

}  // namespace

Seeds seedsOf(Half half) {
  const SeedRange range = seedRange(1, 1001);
  Seeds seeds{.all = {}, .areAll = !range.isTold};
  for (auto seed = static_cast<int>(range.first); seed < static_cast<int>(range.last); ++seed)
    if (seed % 2 == parityOf(half)) seeds.all.push_back(seed);
  return seeds;
}

Run::Run(Half half) {
  const auto& all = everyPair();
  for (std::size_t i = static_cast<std::size_t>(parityOf(half)); i < all.size(); i += 2) pairs_.push_back(all[i]);
}

// They meet one pair after the other, each three times and more: what keeps one from it may not do so again.
bool Run::live(int seed) {
  const auto number = static_cast<std::uint64_t>(seed);
  const auto pair = [&](std::size_t at) -> const Pair& { return pairs_[at % pairs_.size()]; };
  const Plot plot = plotOf(number, pair(number / 2),
                           {pair(number / 2 + pairs_.size() / 3), pair(number / 2 + pairs_.size() * 2 / 3)});
  Fates fates(coverage_);
  for (std::size_t i = 0; i < plot.faults.size(); ++i)
    fates.arm(plot.faults[i], plot.atWrite[i], plot.faults[i] == pair(number / 2));
  if (!world_) world_ = std::make_unique<World>();
  world_->begin(number, std::move(fates));
  const std::string problem = tell(plot);
  if (problem.empty()) return true;
  failures_.push_back(fmt::format("seed {0} (INGOT_SEEDS={0}-{1}): {2}\n{3}{4}\n", seed, seed + 1, problem,
                                  world_->traffic.fates(), fmt::join(world_->traffic.history(), "\n")));
  world_.reset();
  return failures_.size() < kMostFailures;
}

std::string Run::tell(const Plot& plot) {
  try {
    return Story(*world_, plot).tell();
  } catch (const std::exception& error) {
    return error.what();
  }
}

std::string Run::text() const {
  std::string out;
  for (const auto& [write, times] : coverage_.writes) out += fmt::format("{:6} {}\n", times, write);
  return out;
}

std::vector<std::string> Run::missed() const {
  std::vector<std::string> out;
  for (const auto& pair : pairs_)
    if (!coverage_.hit.contains(pair)) out.push_back(pair.text());
  for (const auto& [write, times] : coverage_.writes)
    if (std::ranges::find(everyWrite(), write) == everyWrite().end()) out.push_back(write + " is not listed");
  return out;
}

}  // namespace ingot::tests::seeds
