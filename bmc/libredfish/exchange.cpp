#include "bmc/libredfish/exchange.hpp"

#include "base/text.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <atomic>
#include <cstdlib>
#include <cstring>

extern "C" {
#include <redfishRawAsync.h>
}

namespace ingot::bmc::libredfish {

namespace {

struct Method {
  std::string_view name;
  httpMethod number;
  bool carriesBody;
};
constexpr Method methods[] = {
    {"GET", HTTP_GET, false}, {"HEAD", HTTP_HEAD, false},  {"OPTIONS", HTTP_OPTIONS, false}, {"POST", HTTP_POST, true},
    {"PUT", HTTP_PUT, true},  {"PATCH", HTTP_PATCH, true}, {"DELETE", HTTP_DELETE, false},
};

const Method* find(std::string_view name) {
  const auto* const found = std::ranges::find(methods, name, &Method::name);
  return found == std::end(methods) ? nullptr : found;
}

// What a thread of libredfish's finds of ours. Its queue promises nothing of what another thread wrote before.
struct Waiting {
  std::function<void(Outcome)> done;
  boost::asio::executor_work_guard<base::Executor> guard;
  std::atomic_flag isWhole = {};
};

// With its scheme a Location is cut off behind that. What is left would be taken for a path.
bool isCutOff(std::string_view name, std::string_view value) {
  return net::sameHeaderName(name, "Location") && (value == "http" || value == "https");
}

// Of an answer that came. A status line with a colon in it is no header.
Outcome outcomeOf(const asyncHttpResponse& answer) {
  Outcome outcome{.isAnswered = true, .response = {.status = static_cast<int>(answer.httpResponseCode)}};
  for (const httpHeader* header = answer.headers; header != nullptr; header = header->next) {
    const std::string_view name = header->name;
    const auto value = base::trimmed(header->value);
    if (name.starts_with("HTTP/")) continue;
    if (isCutOff(name, value))
      outcome.lacksLocation = true;
    else
      outcome.response.headers.add(std::string(name), std::string(value));
  }
  if (answer.bodySize > 0) outcome.response.body.assign(answer.body, answer.bodySize);
  return outcome;
}

// On libredfish's thread. Nothing of ours is touched but by the loop.
extern "C" void isOver(asyncHttpRequest* request, asyncHttpResponse* answer, void* context) noexcept {
  const std::unique_ptr<Waiting> waiting(static_cast<Waiting*>(context));
  waiting->isWhole.wait(false, std::memory_order_acquire);
  Outcome outcome;
  if (answer != nullptr && answer->connectError == 0) outcome = outcomeOf(*answer);
  freeAsyncRequest(request);
  freeAsyncResponse(answer);
  boost::asio::post(
      waiting->guard.get_executor(),
      [done = std::move(waiting->done), outcome = std::move(outcome)]() mutable { done(std::move(outcome)); });
}

// libredfish frees it.
char* copyOf(const std::string& body) {
  if (body.empty()) return nullptr;
  auto* const copy = static_cast<char*>(std::malloc(body.size()));
  if (copy == nullptr) throw std::bad_alloc();
  return static_cast<char*>(std::memcpy(copy, body.data(), body.size()));
}

asyncHttpRequest* requestFor(const net::HttpRequest& request, const std::string& url, std::chrono::seconds limit) {
  auto* const made =
      createRequest(url.c_str(), find(request.method)->number, request.body.size(), copyOf(request.body));
  if (made == nullptr) throw std::bad_alloc();
  made->timeout = static_cast<unsigned long>(limit.count());
  for (const auto& [name, value] : request.headers.all()) addRequestHeader(made, name.c_str(), value.c_str());
  addRequestHeader(made, "Expect", "");  // not to be sent: some BMCs do not know it
  return made;
}

}  // namespace

std::optional<MethodTraits> traitsOf(std::string_view method) {
  const auto* const found = find(method);
  return found == nullptr ? std::nullopt : std::optional(MethodTraits{found->carriesBody});
}

void startExchange(const Service& service, const net::HttpRequest& request, const std::string& url,
                   std::chrono::seconds limit, const base::Executor& executor, std::function<void(Outcome)> done) {
  auto waiting = std::make_unique<Waiting>(std::move(done), boost::asio::make_work_guard(executor));
  auto* const handedOver = requestFor(request, url, limit);
  waiting->isWhole.test_and_set(std::memory_order_release);
  auto* const context = waiting.release();
  if (startRawAsyncRequest(service.get(), handedOver, isOver, context)) return;
  freeAsyncRequest(handedOver);
  delete context;
  throw std::bad_alloc();
}

void nudge(const Service& service) {
  auto* const nothing = createRequest("", HTTP_GET, 0, nullptr);
  if (nothing == nullptr) return;
  nothing->timeout = 1;
  if (!startRawAsyncRequest(service.get(), nothing, nullptr, nullptr)) freeAsyncRequest(nothing);
}

}  // namespace ingot::bmc::libredfish
