// Bounds the memory of large bodies that arrive at the same time.
#pragma once

#include "base/clock.hpp"

#include <cstddef>
#include <list>
#include <optional>
#include <string>

namespace ingot::coordinator::webhooks {

// A body counts from its announcement until its request is answered. One that never arrives whole is forgotten when the
// server has cut its connection, `patience` after the announcement. One client has at most half of the room that the
// others leave, however much it announces: the API server's reviews arrive beside it.
class BodyBudget {
  struct Body {
    std::size_t bytes;
    std::string client;
    std::optional<base::MonoTime> until;  // nullopt: it has arrived
  };
  using Bodies = std::list<Body>;

 public:
  BodyBudget(std::size_t bytes, base::Duration patience) : bytes_(bytes), patience_(patience) {}

  // False: there is no room for it now. `client`: its IP address.
  [[nodiscard]] bool announce(std::size_t bytes, const std::string& client, base::MonoTime now);

  // One that has arrived, and counts until this dies. Within the life of its budget.
  class Arrived {
   public:
    Arrived(BodyBudget& budget, std::size_t bytes, const std::string& client);
    ~Arrived() { budget_.bodies_.erase(body_); }
    Arrived(const Arrived&) = delete;
    Arrived& operator=(const Arrived&) = delete;

   private:
    BodyBudget& budget_;
    Bodies::iterator body_;
  };

 private:
  std::size_t bytes_;
  base::Duration patience_;
  Bodies bodies_;
};

}  // namespace ingot::coordinator::webhooks
