// Everything that the controllers' process sends passes here: it is named, told, and goes wrong when its time has come.
#pragma once

#include "base/task.hpp"
#include "tests/coordinator/seeds/fault.hpp"
#include "tests/support/loop.hpp"

#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>

namespace ingot::tests::seeds {

enum class Moment : std::uint8_t { before, after };

class Traffic {
 public:
  explicit Traffic(Loop& loop) : loop_(loop), tasks_(loop.io.get_executor(), base::Log::silent()) {}

  // A new life of everything, from now on.
  void begin(Fates fates);
  void end();  // what is late is not done any more

  [[nodiscard]] bool isDead() const { return dead_; }
  void die();
  void revive() { dead_ = false; }

  [[nodiscard]] std::shared_ptr<Blow> pass(const std::string& write, const std::string& about);
  void end(Blow& blow, bool done) { fates_->end(blow, done); }
  // What somebody else does right before a write, or after it; `about`: the object's name.
  std::function<base::Task<void>(Moment, const std::string& write, const std::string& about)> meanwhile;
  // Watches of this resource tell nothing for a while. `blow` has come to what it is when news has been late for that.
  void holdBack(const std::string& resource, std::shared_ptr<Blow> blow = nullptr);
  // The same of another one that controllers watch: of any, or of the first that has news if the seed is there for it.
  void holdBackAnother(const std::string& resource, std::shared_ptr<Blow> blow);
  // What a watch of this resource does before it tells; `isNews` false: no object has changed.
  [[nodiscard]] base::Task<void> untilTold(std::string resource, bool isNews);
  [[nodiscard]] bool isHoldingBack();
  void doLater(std::string write, base::Task<void> what);
  [[nodiscard]] bool hasLate() const { return tasks_.running() > 0; }
  [[nodiscard]] bool hasLate(const std::string& write) const { return late_.contains(write); }

  // Somebody waits for an answer that does not come.
  class Silence {
   public:
    explicit Silence(Traffic& traffic) : traffic_(traffic) { ++traffic_.silences_; }
    ~Silence() { --traffic_.silences_; }
    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;

   private:
    Traffic& traffic_;
  };
  [[nodiscard]] bool isSilent() const { return silences_ > 0; }

  // Which rights were used at the management cluster, whatever seed did so.
  void use(std::string right) {
    if (!right.empty()) used_.insert(std::move(right));
  }
  [[nodiscard]] const std::set<std::string>& used() const { return used_; }

  [[nodiscard]] bool hasStruck() const { return hasStruck_; }
  void tell(std::string line);
  [[nodiscard]] const std::deque<std::string>& history() const { return history_; }
  [[nodiscard]] base::Random& random() { return *loop_.random; }
  [[nodiscard]] base::Clock& clock() { return loop_.clock; }
  [[nodiscard]] std::string fates() const { return fates_->text(); }

 private:
  struct Hold {
    std::string resource;
    base::MonoTime until;
    std::shared_ptr<Blow> blow;  // nullptr: nobody asks
    int waiting = 0;             // news
  };
  struct AwaitsNews {
    std::string after;  // of any resource but this one
    std::shared_ptr<Blow> blow;
  };

  void hearNews(const std::string& resource);
  [[nodiscard]] base::Task<void> wait(std::shared_ptr<Hold> hold, bool isNews);
  [[nodiscard]] std::shared_ptr<Hold> holdOn(const std::string& resource) const;
  void endHolds();
  void endUnmet(const std::shared_ptr<Blow>& blow);
  [[nodiscard]] base::Task<void> late(std::string write, base::Task<void> what);

  Loop& loop_;
  base::TaskGroup tasks_;
  std::optional<Fates> fates_;
  bool dead_ = false, hasStruck_ = false;
  int silences_ = 0;
  base::MonoTime begun_;
  std::vector<std::shared_ptr<Hold>> holds_;
  std::vector<AwaitsNews> awaitsNews_;
  std::multiset<std::string> late_;  // writes
  std::deque<std::string> history_;
  std::set<std::string> used_;
};

}  // namespace ingot::tests::seeds
