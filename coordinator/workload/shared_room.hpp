// What is kept of all workload clusters together, and read in part. Each has a bound of its own (options.hpp), and how
// many there are is the choice of who makes Clusters: past the sum, of the namespace that takes most the one that takes
// most lets go.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>

namespace ingot::coordinator::workload {

class SharedRoom {
 public:
  explicit SharedRoom(std::size_t most) : most_(most) {}
  SharedRoom(const SharedRoom&) = delete;
  SharedRoom& operator=(const SharedRoom&) = delete;

  class Seat {
   public:
    // `letGo` is called once at most, and keeps nothing of what it held. `room` outlives this.
    Seat(SharedRoom& room, std::string namespace_, std::function<void()> letGo);
    ~Seat();
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;

    // So many bytes in all from now on. May call letGo of any seat, this one included.
    void take(std::size_t bytes);
    [[nodiscard]] bool mustGo() const { return mustGo_; }

   private:
    friend class SharedRoom;
    SharedRoom& room_;
    std::string namespace_;
    std::function<void()> letGo_;
    std::size_t bytes_ = 0;
    bool mustGo_ = false;  // and does not count any more
  };

 private:
  void count(Seat& seat, std::size_t bytes);
  void makeRoom();

  std::size_t most_;
  std::size_t sum_ = 0;
  std::set<Seat*> seats_;
  std::map<std::string, std::size_t> inNamespace_;  // their bytes
};

}  // namespace ingot::coordinator::workload
