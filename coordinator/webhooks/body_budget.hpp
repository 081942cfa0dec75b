// Bounds the memory of large bodies that arrive at the same time.
#pragma once

#include "base/clock.hpp"

#include <cstddef>
#include <list>

namespace ingot::coordinator::webhooks {

// A body counts from its announcement until its request is answered. One that never arrives whole is forgotten when the
// server has cut its connection, `patience` after the announcement.
class BodyBudget {
 public:
  BodyBudget(std::size_t bytes, base::Duration patience) : bytes_(bytes), patience_(patience) {}

  // False: there is no room for it now.
  [[nodiscard]] bool announce(std::size_t bytes, base::MonoTime now);

  // One that has arrived, and counts until this dies. Within the life of its budget.
  class Arrived {
   public:
    Arrived(BodyBudget& budget, std::size_t bytes);
    ~Arrived() { budget_.arrived_ -= bytes_; }
    Arrived(const Arrived&) = delete;
    Arrived& operator=(const Arrived&) = delete;

   private:
    BodyBudget& budget_;
    std::size_t bytes_;
  };

 private:
  struct Announced {
    std::size_t bytes;
    base::MonoTime until;
  };
  std::size_t bytes_;
  base::Duration patience_;
  std::list<Announced> announced_;
  std::size_t arrived_ = 0;
};

}  // namespace ingot::coordinator::webhooks
