// The life of one seed, from nothing to nothing.
#pragma once

#include "tests/coordinator/seeds/cast.hpp"

#include <functional>

namespace ingot::tests::seeds {

class Story {
 public:
  Story(World& world, const Plot& plot)
      : world_(world),
        plot_(plot),
        clusterApi_(world, plot),
        hardware_(world, plot),
        foreign_(world),
        rival_(world, plot),
        loss_(world, plot, hardware_) {}

  // "" when all went as it must.
  [[nodiscard]] std::string tell();

 private:
  using Problem = std::function<std::string()>;

  void setUp();
  [[nodiscard]] std::string growUp();
  [[nodiscard]] std::string fallIll();
  [[nodiscard]] std::string end();
  // Goes on until `problem` says "", with what is to happen meanwhile.
  [[nodiscard]] std::string until(const Problem& problem);
  [[nodiscard]] std::string breach() const;
  [[nodiscard]] bool isAnythingPlanned() const { return !planned_.empty() || !awaited_.empty(); }
  void step();
  void live();
  void beDead();
  void plan(int steps, std::function<void()> what);
  void act();
  void addHosts();
  void addMachine(const std::string& name, const std::string& cluster, bool isFirst);
  void keepHostsFromNowOn();
  void planPause(int steps);
  void planLoss(int steps);
  void makeUpForHost();
  void pause(const std::string& cluster, const std::string& machine, bool paused);
  void replace();
  void hurtChosenHost();
  void bringWhatIsAwaited();
  void bring(Arrival when, const char* asked, std::function<void()> come);
  [[nodiscard]] std::string clusterFor(int machine) const;
  [[nodiscard]] std::uint64_t below(std::uint64_t n) { return world_.loop.random->below(n); }

  struct Planned {
    int steps;
    std::function<void()> what;
  };
  struct Awaited {
    Arrival when;
    const char* asked;  // the resource of what waits for it
    std::function<void()> come;
  };

  World& world_;
  const Plot& plot_;
  ClusterApi clusterApi_;
  Hardware hardware_;
  ForeignProvider foreign_;
  Rival rival_;
  Loss loss_;
  std::vector<Planned> planned_;
  std::vector<Awaited> awaited_;
  base::Duration pace_{};
  bool isReplaced_ = false, isHurt_ = false, isEnding_ = false;
  std::string replaced_;  // the machine that went
};

}  // namespace ingot::tests::seeds
