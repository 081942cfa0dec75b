// libredfish's services: each is a thread with one connection at most, made by us as one conversation's own.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>

struct _redfishService;  // libredfish's own name; its headers stay out of ours

namespace ingot::bmc::libredfish {

class Services;

struct Retire {
  std::shared_ptr<Services> home;
  void operator()(_redfishService* service) const;
};
// Gone once its request is over; nobody waits for that here.
using Service = std::unique_ptr<_redfishService, Retire>;

// All of a transport. Every call is made on the loop thread. To end a service is to wait for its thread, which may take
// seconds: a thread of ours does that.
class Services : public std::enable_shared_from_this<Services> {
 public:
  Services();
  ~Services();
  Services(const Services&) = delete;
  Services& operator=(const Services&) = delete;

  // Nothing is sent: no login, no look at what the BMC offers. Throws HttpError{unreachable} when there are too many,
  // or after end().
  [[nodiscard]] Service open(const std::string& origin);

  // Services of before are gone, whoever still holds one.
  [[nodiscard]] bool hasEnded() const { return !closer_.joinable(); }

  // Waits until the requests under way are over, and their answers on their way to the loop.
  void end();

 private:
  friend struct Retire;
  void retire(_redfishService* service);
  void work();

  std::set<_redfishService*> open_;
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::deque<_redfishService*> retired_;
  std::size_t threads_ = 0;
  bool isEnding_ = false;
  std::thread closer_;
};

}  // namespace ingot::bmc::libredfish
