#include "apiserver/store/history.hpp"

#include <algorithm>

namespace ingot::apiserver {
namespace {

// Of a block. Its texts are what a turn of the loop can pack or lay open.
constexpr std::size_t blockEvents = 256, blockText = 1u << 20;

std::size_t sizeOf(const ObjectPtr& object) { return object ? object->body.size() : 0; }

// What dropping the event gives back: bodies that the cache holds anyway do not count.
std::size_t weight(const Event& event) {
  return sizeof(Event) + sizeof(Object) + sizeOf(event.previous) + sizeOf(event.last);
}

std::size_t text(const Event& event) { return sizeOf(event.previous) + sizeOf(event.next) + sizeOf(event.last); }

// What a follower is sent of it.
std::size_t length(const Event& event) { return sizeOf(event.next ? event.next : event.last); }

// Fills a stretch until it is long enough.
class Gathering {
 public:
  explicit Gathering(const EventQuery& query) : query_(query), out_{.events = {}, .through = query.after} {}

  [[nodiscard]] bool wantsMore() const { return out_.events.size() < query_.events && bytes_ < query_.bytes; }
  // True: the follower is to be given it.
  [[nodiscard]] bool pass(Revision revision, std::string_view space, std::size_t bytes) {
    out_.through = revision;
    if (!query_.space.empty() && space != query_.space) return false;
    bytes_ += bytes;
    return true;
  }
  void take(Event event) { out_.events.push_back(std::move(event)); }
  [[nodiscard]] Stretch result() { return std::move(out_); }

 private:
  const EventQuery& query_;
  Stretch out_;
  std::size_t bytes_ = 0;
};

}  // namespace

void History::begin(Revision start, Revision resumed) {
  start_ = start;
  resumed_ = resumed;
}

void History::add(const std::string& resource, Event event, base::MonoTime now) {
  auto [at, isNew] = rings_.try_emplace(resource);
  Ring& ring = at->second;
  if (isNew) ring.floor = start_;
  hold(ring, weight(event));
  ring.freshText += text(event);
  ++events_;
  ring.fresh.push_back({std::move(event), now});
  if (ring.fresh.size() >= 2 * blockEvents || ring.freshText >= 2 * blockText) pack(ring);
  trim(now);
}

// The oldest of the fresh ones become a block.
void History::pack(Ring& ring) {
  std::vector<Event> events;
  std::size_t texts = 0, bytes = 0;
  auto end = ring.fresh.begin();
  for (; end != ring.fresh.end() && events.size() < blockEvents && texts < blockText; ++end) {
    texts += text(end->event);
    bytes += weight(end->event);
    events.push_back(end->event);
  }
  ring.packed.push_back({HistoryBlock(events), std::prev(end)->at});
  ring.fresh.erase(ring.fresh.begin(), end);
  ring.freshText -= texts;
  release(ring, bytes);
  hold(ring, ring.packed.back().block.bytesHeld());
}

void History::hold(Ring& ring, std::size_t bytes) {
  ring.bytes += bytes;
  bytes_ += bytes;
}

void History::release(Ring& ring, std::size_t bytes) {
  ring.bytes -= bytes;
  bytes_ -= bytes;
}

// --- dropping --------------------------------------------------------------------------------------------------------

void History::trim(base::MonoTime now) {
  const auto any = [](const Ring&) { return true; };
  const auto old = [&](const Ring& ring) { return now - ring.oldest() >= limits_.keep; };
  while (events_ > 1) {
    const bool tooMuch = bytes_ > limits_.mostBytes || events_ > limits_.mostEvents;
    if (!tooMuch && bytes_ <= limits_.bytes) return;
    Ring* ring = tooMuch ? largest(any) : largest(old);
    if (!ring) return;
    dropOldest(*ring);
  }
}

History::Ring* History::largest(const std::function<bool(const Ring&)>& among) {
  Ring* found = nullptr;
  for (auto& [resource, ring] : rings_) {
    if (ring.empty() || !among(ring)) continue;
    if (!found || ring.bytes > found->bytes) found = &ring;
  }
  return found;
}

void History::dropOldest(Ring& ring) {
  if (ring.packed.empty()) {
    const Event& oldest = ring.fresh.front().event;
    ring.floor = oldest.revision;
    ring.freshText -= text(oldest);
    release(ring, weight(oldest));
    --events_;
    ring.fresh.pop_front();
  } else {
    const HistoryBlock& oldest = ring.packed.front().block;
    ring.floor = oldest.last();
    release(ring, oldest.bytesHeld());
    events_ -= oldest.size();
    ring.packed.pop_front();
  }
}

// --- reading ---------------------------------------------------------------------------------------------------------

const History::Ring* History::find(const std::string& resource) const {
  const auto at = rings_.find(resource);
  return at == rings_.end() ? nullptr : &at->second;
}

const HistoryBlock* History::Ring::blockAfter(Revision revision) const {
  const auto at =
      std::ranges::upper_bound(packed, revision, {}, [](const Packed& packed) { return packed.block.last(); });
  return at == packed.end() ? nullptr : &at->block;
}

std::deque<History::Entry>::const_iterator History::Ring::freshAfter(Revision revision) const {
  return std::ranges::upper_bound(fresh, revision, {}, [](const Entry& entry) { return entry.event.revision; });
}

bool History::reaches(const std::string& resource, Revision revision) const {
  if (revision > start_ && revision < resumed_) return false;
  const Ring* ring = find(resource);
  return revision >= (ring ? ring->floor : start_);
}

Stretch History::after(const std::string& resource, const EventQuery& query) const {
  Gathering out(query);
  const Ring* ring = find(resource);
  if (!ring) return out.result();
  if (const HistoryBlock* block = ring->blockAfter(query.after)) {
    HistoryBlock::Reader open(*block);
    for (std::size_t i = open.firstAfter(query.after); i < block->size() && out.wantsMore(); ++i) {
      if (out.pass(open.revision(i), open.space(i), open.length(i))) out.take(open.event(i));
    }
    return out.result();
  }
  for (auto at = ring->freshAfter(query.after); at != ring->fresh.end() && out.wantsMore(); ++at) {
    const Event& event = at->event;
    if (out.pass(event.revision, event.key().space, length(event))) out.take(event);
  }
  return out.result();
}

History::Rewound History::rewind(const std::string& resource, Revision after, States& states) const {
  const Ring* ring = find(resource);
  if (!ring) return {after, true};
  if (const HistoryBlock* block = ring->blockAfter(after)) {
    HistoryBlock::Reader open(*block);
    for (std::size_t i = open.firstAfter(after); i < block->size(); ++i) {
      const auto [at, isNew] = states.try_emplace(open.key(i));
      if (isNew) at->second = open.previous(i);
    }
    return {block->last(), false};
  }
  for (auto at = ring->freshAfter(after); at != ring->fresh.end(); ++at)
    states.try_emplace(at->event.key(), at->event.previous);
  return {after, true};
}

}  // namespace ingot::apiserver
