#include "coordinator/workload/shared_room.hpp"

#include <algorithm>
#include <utility>

namespace ingot::coordinator::workload {

SharedRoom::Seat::Seat(SharedRoom& room, std::function<void()> letGo) : room_(room), letGo_(std::move(letGo)) {
  room_.seats_.insert(this);
}

SharedRoom::Seat::~Seat() {
  room_.seats_.erase(this);
  if (!mustGo_) room_.sum_ -= bytes_;
}

void SharedRoom::Seat::take(std::size_t bytes) {
  if (mustGo_) return;
  room_.sum_ += bytes - std::exchange(bytes_, bytes);
  room_.makeRoom();
}

void SharedRoom::makeRoom() {
  while (sum_ > most_) {
    const auto weightOf = [](const Seat* seat) { return seat->mustGo_ ? 0 : seat->bytes_; };
    Seat& heaviest = **std::ranges::max_element(seats_, {}, weightOf);
    heaviest.mustGo_ = true;
    sum_ -= heaviest.bytes_;
    heaviest.letGo_();
  }
}

}  // namespace ingot::coordinator::workload
