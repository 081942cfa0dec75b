#include "bmc/libredfish/services.hpp"

#include "net/http.hpp"

#include <semaphore>

extern "C" {
#include <redfishRawAsync.h>
}

namespace ingot::bmc::libredfish {

namespace {

// libredfish does not look whether it got the thread it asks for, and waits for one that never was.
constexpr std::size_t mostThreads = 256;

extern "C" void firstIsOver(asyncHttpRequest* request, asyncHttpResponse* response, void* context) {
  freeAsyncRequest(request);
  freeAsyncResponse(response);
  static_cast<std::binary_semaphore*>(context)->release();
}

_redfishService* create(const std::string& origin) {
  return createServiceEnumerator(origin.c_str(), nullptr, nullptr, REDFISH_FLAG_SERVICE_NO_VERSION_DOC);
}

// The first of its threads sets libcurl up, and does not mind others that do so at the same time: it runs alone, with a
// request that libcurl refuses.
void setUpOnce() {
  static std::once_flag once;
  std::call_once(once, [] {
    auto* const service = create("");
    auto* const request = createRequest("", HTTP_GET, 0, nullptr);
    request->timeout = 1;
    std::binary_semaphore over{0};
    startRawAsyncRequest(service, request, firstIsOver, &over);
    over.acquire();
    cleanupServiceEnumerator(service);
  });
}

}  // namespace

void Retire::operator()(_redfishService* service) const { home->retire(service); }

Services::Services() {
  setUpOnce();
  closer_ = std::thread([this] { work(); });
}

Services::~Services() { end(); }

Service Services::open(const std::string& origin) {
  using Code = net::HttpError::Code;
  if (hasEnded()) throw net::HttpError(Code::unreachable, origin + ": the transport to BMCs has ended");
  {
    const std::lock_guard lock(mutex_);
    if (threads_ >= mostThreads)
      throw net::HttpError(Code::unreachable, fmt::format("{}: libredfish takes a thread a BMC, and {} are the most; "
                                                          "give this agent fewer hosts, or --redfish-transport curl",
                                                          origin, mostThreads));
    ++threads_;
  }
  auto* const service = create(origin);
  open_.insert(service);
  return {service, Retire{shared_from_this()}};
}

void Services::retire(_redfishService* service) {
  if (open_.erase(service) == 0) return;  // by end()
  {
    const std::lock_guard lock(mutex_);
    retired_.push_back(service);
  }
  changed_.notify_one();
}

void Services::end() {
  if (hasEnded()) return;
  {
    const std::lock_guard lock(mutex_);
    isEnding_ = true;
    retired_.insert(retired_.end(), open_.begin(), open_.end());
  }
  open_.clear();
  changed_.notify_one();
  closer_.join();
}

void Services::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return isEnding_ || !retired_.empty(); });
    if (retired_.empty()) return;
    auto* const service = retired_.front();
    retired_.pop_front();
    lock.unlock();
    cleanupServiceEnumerator(service);
    lock.lock();
    --threads_;
  }
}

}  // namespace ingot::bmc::libredfish
