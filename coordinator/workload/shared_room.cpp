#include "coordinator/workload/shared_room.hpp"

#include <algorithm>
#include <utility>

namespace ingot::coordinator::workload {

SharedRoom::Seat::Seat(SharedRoom& room, std::string namespace_, std::function<void()> letGo)
    : room_(room), namespace_(std::move(namespace_)), letGo_(std::move(letGo)) {
  room_.seats_.insert(this);
}

SharedRoom::Seat::~Seat() {
  take(0);
  room_.seats_.erase(this);
}

void SharedRoom::Seat::take(std::size_t bytes) {
  if (mustGo_) return;
  room_.count(*this, bytes);
  room_.makeRoom();
}

void SharedRoom::count(Seat& seat, std::size_t bytes) {
  const std::size_t more = bytes - std::exchange(seat.bytes_, bytes);
  sum_ += more;
  auto& own = inNamespace_[seat.namespace_];
  own += more;
  if (own == 0) inNamespace_.erase(seat.namespace_);
}

// Of the namespace that takes most, so that nobody loses a cluster to the many of another.
void SharedRoom::makeRoom() {
  while (sum_ > most_) {
    const auto& fullest = std::ranges::max_element(inNamespace_, {}, [](const auto& one) { return one.second; })->first;
    const auto weightOf = [&](const Seat* seat) { return seat->namespace_ == fullest ? seat->bytes_ : 0; };
    Seat& heaviest = **std::ranges::max_element(seats_, {}, weightOf);
    heaviest.mustGo_ = true;
    count(heaviest, 0);
    heaviest.letGo_();
  }
}

}  // namespace ingot::coordinator::workload
