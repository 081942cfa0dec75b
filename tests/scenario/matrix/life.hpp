// A host's whole life as its user drives it, and what has to be true at every station and at the end.
#pragma once

#include "tests/scenario/matrix/plant.hpp"

namespace ingot::tests::matrix {

class Life {
 public:
  Life(Plant& plant, std::string host) : plant_(plant), host_(std::move(host)), since_(plant.runtime.clock.now()) {}

  // The user's next step, when the present one has come true. Call once in a while.
  void step();
  [[nodiscard]] bool over() const { return !failure_.empty() || stage_ == Stage::ended; }
  [[nodiscard]] const std::string& failure() const { return failure_; }
  [[nodiscard]] const std::string& name() const { return host_; }

 private:
  enum class Stage { unborn, available, provisioned, off, on, released, removed, ended };

  void begin(Stage stage);
  [[nodiscard]] bool reached() const;
  [[nodiscard]] bool settled(std::string_view state, bool on) const;
  [[nodiscard]] std::string stuck() const;
  [[nodiscard]] std::string lostCredentials() const;

  Plant& plant_;
  std::string host_, failure_;
  base::MonoTime since_;
  Stage stage_ = Stage::unborn;
};

// What a finished life did to the outside that it must not, "" when all is well. `causes`: what errors had to say.
[[nodiscard]] std::string audit(Plant& plant, const std::string& host, const std::vector<std::string_view>& causes);

// Lets these lives happen together. Returns when all are over.
void live(Plant& plant, std::vector<Life>& lives);

}  // namespace ingot::tests::matrix
