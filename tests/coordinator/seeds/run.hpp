// Seeds one after the other, and what they have met together.
#pragma once

#include "tests/coordinator/seeds/plot.hpp"
#include "tests/coordinator/seeds/world.hpp"

namespace ingot::tests::seeds {

enum class Half : std::uint8_t { odd, even };

struct Seeds {
  std::vector<int> all;
  bool areAll = true;
};

// Of 1 to 1000. INGOT_SEEDS=FROM-TO looks at others; TO is not among them.
[[nodiscard]] Seeds seedsOf(Half half);

class Run {
 public:
  explicit Run(Half half);

  // False: enough has failed.
  [[nodiscard]] bool live(int seed);
  [[nodiscard]] const std::vector<std::string>& failures() const { return failures_; }
  // Pairs of this half that struck nowhere, and writes that nobody has listed.
  [[nodiscard]] std::vector<std::string> missed() const;
  // At the management cluster.
  [[nodiscard]] const std::set<std::string>& usedRights() const { return world_->traffic.used(); }
  [[nodiscard]] std::string text() const;  // which writes were seen, and how often

 private:
  [[nodiscard]] std::string tell(const Plot& plot);

  std::vector<Pair> pairs_;
  Coverage coverage_;
  std::vector<std::string> failures_;
  std::unique_ptr<World> world_;
};

}  // namespace ingot::tests::seeds
