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
  // Watches of this resource tell nothing for a while.
  void holdBack(const std::string& resource);
  [[nodiscard]] std::string another(const std::string& resource);  // that controllers watch
  [[nodiscard]] base::Task<void> untilTold(std::string resource);
  void doLater(base::Task<void> what) { tasks_.spawn("done late", std::move(what)); }
  [[nodiscard]] bool hasLate() const { return tasks_.running() > 0; }

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
  Loop& loop_;
  base::TaskGroup tasks_;
  std::optional<Fates> fates_;
  bool dead_ = false, hasStruck_ = false;
  int silences_ = 0;
  base::MonoTime begun_;
  std::map<std::string, base::MonoTime> heldUntil_;
  std::deque<std::string> history_;
  std::set<std::string> used_;
};

}  // namespace ingot::tests::seeds
