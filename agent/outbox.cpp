#include "agent/outbox.hpp"

#include "agent/shortened.hpp"

namespace ingot::agent {

namespace {

constexpr base::Duration gatheredFor = std::chrono::seconds(1);
constexpr std::size_t mostWaiting = 8 << 20;  // bytes
enum Rank { inventories, logs, hardware, sensors };

std::int64_t sizeOf(const std::string& frame) { return static_cast<std::int64_t>(frame.size()); }

struct Slot {
  int rank = 0;
  std::string host, what;
};

Slot slotOf(const wire::Message& message) {
  if (const auto* inventory = std::get_if<wire::InventoryResult>(&message))
    return {inventories, inventory->host, "inventory/" + inventory->host};
  if (const auto* log = std::get_if<wire::LogFacts>(&message))
    return {logs, log->host, "log/" + log->host + "/" + log->log};
  if (const auto* facts = std::get_if<wire::HardwareFacts>(&message))
    return {hardware, facts->host, "hardware/" + facts->host};
  const auto& host = std::get<wire::SensorFacts>(message).host;
  return {sensors, host, "sensors/" + host};
}

}  // namespace

Outbox::Outbox(base::Runtime runtime, wire::AgentLink& link, std::function<std::int64_t()> stamp)
    : runtime_(std::move(runtime)), link_(link), stamp_(std::move(stamp)), gathered_(runtime_.executor) {}

bool Outbox::send(const wire::Message& message) {
  if (const auto* fresh = std::get_if<wire::StillFresh>(&message)) {
    gather(*fresh);
    return true;
  }
  if (version_ < 2 || !wire::isPatient(message)) return sendNow(message);
  enqueue(message);
  sendOnCredit();
  keepWithin();
  return true;
}

bool Outbox::sendNow(const wire::Message& message) {
  // What was gathered of this host before is older.
  if (const auto* facts = std::get_if<wire::Facts>(&message)) fresh_.erase(facts->host);
  auto bytes = encoded(message, wire::longestMessage);
  if (!bytes) return false;
  if (link_.send(std::move(*bytes))) return true;
  runtime_.log.debug("message dropped: the link is down", {{"kind", wire::kindOf(message)}});
  return false;
}

// Without what makes it too long, where that can be left out. nullopt: it cannot be sent.
std::optional<std::string> Outbox::encoded(const wire::Message& message, std::size_t limit) {
  try {
    return wire::encode(message, limit);
  } catch (const wire::CodecError& error) {
    runtime_.log.error("a message cannot be sent", {{"error", error.what()}});
  }
  const auto brief = shortened(message);
  return brief ? encoded(*brief, limit) : std::nullopt;
}

std::deque<std::string> Outbox::framesOf(const wire::Message& message) {
  auto whole = encoded(message, wire::mayGoInPieces(message) ? wire::longestWhole : wire::longestMessage);
  if (!whole) return {};
  if (whole->size() <= wire::longestMessage) return {std::move(*whole)};
  auto pieces = wire::inPieces(++lastPieces_, *whole);
  return {std::make_move_iterator(pieces.begin()), std::make_move_iterator(pieces.end())};
}

// It takes the place of the one before: who speaks often waits no longer than others.
void Outbox::enqueue(const wire::Message& message) {
  auto frames = framesOf(message);
  if (frames.empty()) return;
  auto [rank, host, what] = slotOf(message);
  const auto known = places_.find(what);
  const Place place = known != places_.end() ? known->second : Place{.rank = rank, .order = ++lastOrder_};
  if (known != places_.end()) erase(waiting_.find(place));
  for (const auto& frame : frames) waitingBytes_ += frame.size();
  places_[what] = place;
  waiting_[place] = {.host = std::move(host),
                     .what = std::move(what),
                     .aging = message,
                     .at = runtime_.clock.now(),
                     .frames = std::move(frames)};
}

void Outbox::sendOnCredit() {
  while (!waiting_.empty()) {
    auto& next = waiting_.begin()->second;
    if (!hasCreditFor(next)) return;
    age(next);
    if (!hasCreditFor(next)) return;
    auto& frames = next.frames;
    const auto size = sizeOf(frames.front());
    // The hardware is read a few times a day: it waits for the link.
    const bool isKept = waiting_.begin()->first.rank == hardware;
    const bool isSent = link_.send(isKept ? frames.front() : std::move(frames.front()));
    if (!isSent && isKept) return;
    waitingBytes_ -= static_cast<std::size_t>(size);
    if (isSent) spent_ += size;
    next.aging.reset();
    frames.pop_front();
    if (!isSent) runtime_.log.debug("message dropped: the link is down", {{"what", waiting_.begin()->second.what}});
    if (!isSent || frames.empty()) erase(waiting_.begin());
  }
}

bool Outbox::hasCreditFor(const Waiting& waiting) const {
  return version_ < 2 || spent_ + sizeOf(waiting.frames.front()) <= credit_;
}

// What was read when it was said is as old as it is when it goes out. Nothing of it has gone out yet.
void Outbox::age(Waiting& waiting) {
  const auto waited = (runtime_.clock.now() - waiting.at) / std::chrono::milliseconds(1);
  if (waited == 0 || !waiting.aging) return;
  std::visit(
      [&]<class T>(T& body) {
        if constexpr (requires { body.ageMs; }) body.ageMs += waited;
      },
      *waiting.aging);
  waiting.at += std::chrono::milliseconds(waited);
  auto frames = framesOf(*waiting.aging);
  if (frames.empty()) return;  // it fitted before
  for (const auto& frame : waiting.frames) waitingBytes_ -= frame.size();
  waiting.frames = std::move(frames);
  for (const auto& frame : waiting.frames) waitingBytes_ += frame.size();
}

void Outbox::forget(const std::string& host) {
  fresh_.erase(host);
  eraseIf([&](const Waiting& waiting) { return waiting.host == host; });
}

void Outbox::keepWithin() {
  while (waitingBytes_ > mostWaiting) {
    const auto last = waiting_.lower_bound({.rank = waiting_.rbegin()->first.rank});  // the oldest of its rank
    runtime_.log.debug("message dropped: too much waits for the coordinator", {{"what", last->second.what}});
    ++dropped_;
    erase(last);
  }
}

void Outbox::erase(std::map<Place, Waiting>::iterator at) {
  for (const auto& frame : at->second.frames) waitingBytes_ -= frame.size();
  places_.erase(at->second.what);
  waiting_.erase(at);
}

void Outbox::eraseIf(const std::function<bool(const Waiting&)>& isMeant) {
  for (auto it = waiting_.begin(); it != waiting_.end();) {
    const auto here = it++;
    if (isMeant(here->second)) erase(here);
  }
}

void Outbox::beginCredit(std::int64_t helloMs) {
  helloMs_ = helloMs;
  credit_ = spent_ = 0;
}

void Outbox::speak(int version, std::int64_t credit) {
  version_ = version;
  credit_ = std::max(credit_, credit);
  // Version 1 knows no pieces; the inventory is asked for again.
  if (version_ < 2) eraseIf([](const Waiting& waiting) { return waiting.frames.size() > 1; });
  sendOnCredit();
}

void Outbox::take(const wire::Credit& credit) {
  if (credit.helloMs != helloMs_) return;
  credit_ = std::max(credit_, credit.bytes);
  sendOnCredit();
}

void Outbox::gather(const wire::StillFresh& fresh) {
  const auto now = runtime_.clock.now();
  for (const auto& facts : fresh.facts) fresh_[facts.host] = {.facts = facts, .at = now};
  gathered_.notifyAll();
}

base::Task<void> Outbox::run() {
  while (true) {
    while (fresh_.empty()) co_await gathered_.wait();
    co_await runtime_.clock.sleepFor(gatheredFor);
    flush();
  }
}

void Outbox::flush() {
  wire::StillFresh batch{.stampMs = stamp_()};  // first: who is paused here makes facts too old, not too young
  const auto now = runtime_.clock.now();
  for (auto& [host, gathered] : fresh_) {
    const auto older = [&](std::int64_t ageMs) {
      return ageMs < 0 ? ageMs : ageMs + (now - gathered.at) / std::chrono::milliseconds(1);
    };
    auto facts = std::move(gathered.facts);
    facts.powerAgeMs = older(facts.powerAgeMs);
    facts.healthAgeMs = older(facts.healthAgeMs);
    batch.facts.push_back(std::move(facts));
    if (batch.facts.size() < wire::mostFreshFacts) continue;
    sendNow(std::exchange(batch, {.stampMs = batch.stampMs}));
  }
  fresh_.clear();
  if (!batch.facts.empty()) sendNow(batch);
}

}  // namespace ingot::agent
