// A host's whole life as its user drives it, and what has to be true at every station and at the end.
#pragma once

#include "tests/matrix/plant.hpp"

#include <span>

namespace ingot::tests::matrix {

// A step of the user, and what has to come true before the next one. `since`: for how long it has been waited for.
struct Station {
  void (*begin)(Plant& plant, const std::string& host);
  bool (*reached)(Plant& plant, const std::string& host, base::Duration since);
};

struct Story {
  std::span<const Station> stations;  // the last one ends with the host gone
  int inspections;
  int requestedAgain;  // of them: such a request is never lost, but may be fulfilled twice
  int timesOff;        // that somebody switches the provisioned host off
};

// Registered, provisioned, switched off and on, released, deleted.
extern const Story plainLife;
// Inspected again, provisioned, rebooted, given a new password, paused, switched off and on, deleted in use.
extern const Story eventfulLife;

class Life {
 public:
  Life(Plant& plant, const Story& story, std::string host)
      : plant_(plant), story_(story), host_(std::move(host)), since_(plant.runtime.clock.now()) {}

  // The user's next step, when the present one has come true. Call once in a while.
  void step();
  [[nodiscard]] bool over() const { return !failure_.empty() || next_ > story_.stations.size(); }
  [[nodiscard]] const std::string& failure() const { return failure_; }
  [[nodiscard]] const std::string& name() const { return host_; }

 private:
  [[nodiscard]] bool reached() const;
  [[nodiscard]] std::string stuck() const;
  [[nodiscard]] std::string lostCredentials() const;

  Plant& plant_;
  const Story& story_;
  std::string host_, failure_;
  base::MonoTime since_;
  std::size_t next_ = 0;  // the station before it is under way; 0: unborn
};

// What a finished life did to the outside that it must not, "" when all is well. `causes`: what errors had to say.
[[nodiscard]] std::string audit(Plant& plant, const Story& story, const std::string& host,
                                const std::vector<std::string_view>& causes);

// Lets these lives happen together. Returns when all are over.
void live(Plant& plant, std::vector<Life>& lives);

}  // namespace ingot::tests::matrix
