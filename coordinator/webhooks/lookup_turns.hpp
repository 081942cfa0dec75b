// Whose turn it is to ask the API for the objects that a review hangs on. Reviews of one namespace may have much to
// look up, and there may be many of them: those of other namespaces are answered in between. So
//  - a turn is one request, as for a page of a list, and not all that a review looks up;
//  - turns go around among the namespaces that wait; within one they are first come, first served;
//  - one namespace has at most half of what the others leave, of the turns and of the reviews that may wait for one.
// A namespace stands for a tenant: who has one makes users of it (service accounts) at will, but no namespaces.
#pragma once

#include "base/sync.hpp"

#include <cstddef>
#include <list>
#include <map>
#include <string>

namespace ingot::coordinator::webhooks {

class LookupTurns {
  struct Line;

 public:
  struct Limits {
    std::size_t turns = 4;     // each lists objects of the cluster, and holds a page of them
    std::size_t reviews = 40;  // each is held meanwhile
  };
  LookupTurns(const base::Executor& executor, Limits limits) : limits_(limits), changed_(executor) {}

  // Whether one more review of the namespace may look something up.
  [[nodiscard]] bool hasRoomFor(const std::string& namespace_) const;

  // A review that looks something up, for as long as this lives. Within the life of its turns.
  class Review {
   public:
    Review(LookupTurns& turns, const std::string& namespace_);
    ~Review();
    Review(const Review&) = delete;
    Review& operator=(const Review&) = delete;

   private:
    friend class LookupTurns;
    LookupTurns& turns_;
    std::map<std::string, Line>::iterator line_;
  };

  // Stands in line from the beginning, and has its turn from the end of come() until this dies.
  class Turn {
   public:
    explicit Turn(Review& review);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    [[nodiscard]] base::Task<void> come();  // throws Cancelled

   private:
    friend class LookupTurns;
    LookupTurns& turns_;
    Line& line_;
    bool hasCome_ = false;
  };

 private:
  struct Line {
    std::size_t reviews = 0, turns = 0;
    std::list<Turn*> waiting;
  };

  void grant();

  Limits limits_;
  std::map<std::string, Line> lines_;  // by namespace; those with a review
  std::list<Line*> waiting_;           // those with a turn that waits, in the order of the next ones
  std::size_t reviews_ = 0, turns_ = 0;
  base::Notifier changed_;
};

}  // namespace ingot::coordinator::webhooks
