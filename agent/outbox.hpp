// What an agent tells its coordinator, by what hangs on it: what a decision waits for goes out at once; facts that hold
// still go in one message a second; what can wait (wire::isPatient) goes as far as the coordinator gives credit,
// inventories before logs before hardware before sensors, and sensors are dropped first when too much of it waits.
#pragma once

#include "base/sync.hpp"
#include "wire/link.hpp"
#include "wire/pieces.hpp"

#include <deque>
#include <map>

namespace ingot::agent {

class Outbox {
 public:
  // The link outlives it. `stamp`: the agent's own clock, as messages carry it.
  Outbox(base::Runtime runtime, wire::AgentLink& link, std::function<std::int64_t()> stamp);

  // False: the link is down, or the message cannot be sent at all. What waits counts as sent.
  bool send(const wire::Message& message);

  // A hello is about to be sent: credit counts anew from it.
  void beginCredit(std::int64_t helloMs);
  // The coordinator has answered.
  void speak(int version, std::int64_t credit);
  void take(const wire::Credit& credit);

  // Sends what is gathered. Until cancelled.
  [[nodiscard]] base::Task<void> run();
  // The host is served no more: what was to be told of it is not.
  void forget(const std::string& host);

  [[nodiscard]] std::size_t queued() const { return waiting_.size(); }
  [[nodiscard]] std::int64_t dropped() const { return dropped_; }
  [[nodiscard]] std::int64_t spent() const { return spent_; }
  [[nodiscard]] int version() const { return version_; }  // of the protocol, that the coordinator speaks with us

 private:
  struct Place {
    int rank = 0;  // low ones are sent first and dropped last
    std::uint64_t order = 0;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  struct Waiting {
    std::string host, what;              // one that waits is replaced by the next of the same
    std::optional<wire::Message> aging;  // to be encoded anew when it goes out; none: some of it has
    base::MonoTime at{};                 // it was said
    std::deque<std::string> frames;      // one, or the pieces of one
  };

  bool sendNow(const wire::Message& message);
  void enqueue(const wire::Message& message);
  [[nodiscard]] std::optional<std::string> encoded(const wire::Message& message, std::size_t limit);
  [[nodiscard]] std::deque<std::string> framesOf(const wire::Message& message);
  void sendOnCredit();
  [[nodiscard]] bool hasCreditFor(const Waiting& waiting) const;
  void age(Waiting& waiting);
  void keepWithin();
  void erase(std::map<Place, Waiting>::iterator at);
  void eraseIf(const std::function<bool(const Waiting&)>& isMeant);
  void gather(const wire::StillFresh& fresh);
  void flush();

  base::Runtime runtime_;
  wire::AgentLink& link_;
  std::function<std::int64_t()> stamp_;
  int version_ = wire::oldestVersion;
  std::int64_t helloMs_ = 0, credit_ = 0, spent_ = 0;  // bytes since that hello; version 1 knows no credit
  std::map<Place, Waiting> waiting_;
  std::map<std::string, Place> places_;  // by what
  std::size_t waitingBytes_ = 0;
  std::uint64_t lastOrder_ = 0;
  std::int64_t lastPieces_ = 0, dropped_ = 0;
  struct Gathered {
    wire::FreshFacts facts;
    base::MonoTime at;
  };
  std::map<std::string, Gathered> fresh_;  // by host
  base::Notifier gathered_;
};

}  // namespace ingot::agent
