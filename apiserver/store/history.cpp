#include "apiserver/store/history.hpp"

#include <algorithm>

namespace ingot::apiserver {
namespace {

// What dropping the event gives back: bodies that the cache holds anyway do not count.
std::size_t weight(const Event& event) {
  std::size_t bytes = sizeof(Event) + sizeof(Object);
  if (event.previous) bytes += event.previous->body.size();
  if (event.last) bytes += event.last->body.size();
  return bytes;
}

}  // namespace

void History::add(const std::string& resource, Event event) {
  auto [at, fresh] = rings_.try_emplace(resource);
  if (fresh) at->second.floor = start_;
  const std::size_t bytes = weight(event);
  at->second.bytes += bytes;
  bytes_ += bytes;
  ++events_;
  at->second.events.push_back(std::move(event));
  trim();
}

void History::trim() {
  while (events_ > 1 && (bytes_ > byteLimit_ || events_ > eventLimit_)) {
    auto& ring = std::max_element(rings_.begin(), rings_.end(), [](const auto& a, const auto& b) {
                   return a.second.bytes < b.second.bytes;
                 })->second;
    const auto& oldest = ring.events.front();
    const std::size_t bytes = weight(oldest);
    ring.floor = oldest.revision;
    ring.bytes -= bytes;
    bytes_ -= bytes;
    --events_;
    ring.events.pop_front();
  }
}

bool History::reaches(const std::string& resource, Revision revision) const {
  const auto at = rings_.find(resource);
  return revision >= (at == rings_.end() ? start_ : at->second.floor);
}

std::vector<Event> History::after(const std::string& resource, Revision revision, std::size_t limit) const {
  const auto at = rings_.find(resource);
  if (at == rings_.end()) return {};
  const auto& events = at->second.events;
  const auto first = std::upper_bound(events.begin(), events.end(), revision,
                                      [](Revision r, const Event& event) { return r < event.revision; });
  const auto count = std::min<std::size_t>(limit, static_cast<std::size_t>(events.end() - first));
  return {first, first + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace ingot::apiserver
