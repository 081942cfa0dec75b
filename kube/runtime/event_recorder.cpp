#include "kube/runtime/event_recorder.hpp"

#include "base/cut_text.hpp"

namespace ingot::kube {
namespace {

constexpr std::size_t kWriters = 8;
constexpr unsigned kTries = 5;
constexpr std::size_t kLongestMessage = 1024;  // as the API of events.k8s.io has it
constexpr base::Backoff kBackoff{std::chrono::milliseconds(500), std::chrono::seconds(10)};

std::string namespaceOf(const ObjectReference& object) {
  return object.namespace_.empty() ? "default" : object.namespace_;
}

}  // namespace

EventRecorder::EventRecorder(base::Runtime runtime, Client& client, EventOptions options)
    : runtime_(runtime.named("events")),
      client_(client),
      options_(std::move(options)),
      memory_(options_.memory),
      changed_(runtime_.executor),
      settled_(runtime_.executor) {}

EventRecorder::~EventRecorder() = default;

void EventRecorder::normal(ObjectReference object, std::string reason, std::string message,
                           std::optional<ObjectReference> related) {
  record({std::move(object), "Normal", std::move(reason), std::move(message)}, std::move(related));
}

void EventRecorder::warning(ObjectReference object, std::string reason, std::string message,
                            std::optional<ObjectReference> related) {
  record({std::move(object), "Warning", std::move(reason), std::move(message)}, std::move(related));
}

void EventRecorder::record(EventKey key, std::optional<ObjectReference> related) {
  key.object.resourceVersion.clear();
  if (key.message.size() > kLongestMessage) key.message = base::cutText(key.message, kLongestMessage);
  const bool waiting = active_.contains(key);
  if ((!waiting && queue_.size() >= options_.queueLimit) ||
      !memory_.note(key, runtime_.clock.now(), runtime_.clock.wall(), related)) {
    ++dropped_;
    return;
  }
  if (waiting) return;  // its writer looks at the count
  active_.insert(key);
  queue_.push_back(std::move(key));
  changed_.notifyAll();
}

base::Task<void> EventRecorder::run() {
  base::TaskGroup writers(runtime_.executor, runtime_.log);
  for (std::size_t i = 0; i < kWriters; ++i) writers.spawn("write events", writeQueued());
  std::exception_ptr ended;
  try {
    base::Notifier never(runtime_.executor);
    co_await never.wait();
  } catch (...) {
    ended = std::current_exception();
  }
  co_await writers.close();
  std::rethrow_exception(ended);
}

base::Task<void> EventRecorder::flushed() {
  while (!active_.empty()) co_await settled_.wait();
}

base::Task<void> EventRecorder::writeQueued() {
  while (true) {
    while (queue_.empty()) co_await changed_.wait();
    const EventKey key = std::move(queue_.front());
    queue_.pop_front();
    co_await publish(key);
    active_.erase(key);
    if (active_.empty()) settled_.notifyAll();
  }
}

// Until the server knows every repetition that came meanwhile.
base::Task<void> EventRecorder::publish(const EventKey& key) {
  for (unsigned failures = 0;;) {
    const EventMemory::Entry* seen = memory_.find(key);
    if (!seen || seen->written >= seen->count) co_return;
    std::string problem;
    bool worthRetrying = false;
    try {
      co_await write(key, *seen);
      continue;
    } catch (const Error& e) {
      problem = e.what();
      worthRetrying = e.transient();
    } catch (const base::Cancelled&) {
      throw;
    } catch (const std::exception& e) {
      problem = e.what();
    }
    if (!worthRetrying || ++failures == kTries) {
      ++dropped_;
      runtime_.log.debug("an event is lost", {{"reason", key.reason}, {"error", problem}});
      co_return;
    }
    co_await runtime_.clock.sleepFor(kBackoff.delay(failures - 1, runtime_.random));
  }
}

base::Task<void> EventRecorder::write(const EventKey& key, EventMemory::Entry seen) {
  const bool raised = !seen.name.empty() && co_await raiseCount(key, seen);
  if (!raised) co_await create(key, seen);
}

base::Task<void> EventRecorder::create(const EventKey& key, const EventMemory::Entry& seen) {
  Event event{.metadata = {.generateName = key.reason + "-", .namespace_ = namespaceOf(key.object)},
              .involvedObject = key.object,
              .reason = key.reason,
              .message = key.message,
              .source = {.component = options_.component},
              .firstTimestamp = seen.first,
              .lastTimestamp = seen.last,
              .count = seen.count,
              .type = key.type,
              .related = seen.related,
              .reportingComponent = options_.reportingComponent,
              .reportingInstance = options_.reportingInstance};
  const Event stored = co_await client_.create(std::move(event));
  memory_.written(key, stored.metadata.name, seen.count);
}

// False when the Event is gone (they live for an hour).
base::Task<bool> EventRecorder::raiseCount(const EventKey& key, const EventMemory::Entry& seen) {
  json::Object patch{{"count", seen.count}, {"lastTimestamp", base::formatTime(seen.last)}};
  try {
    static_cast<void>(co_await client_.patch<Event>({namespaceOf(key.object), seen.name}, std::move(patch)));
  } catch (const Error& e) {
    if (e.code() != Error::Code::notFound) throw;
    co_return false;
  }
  memory_.written(key, seen.name, seen.count);
  co_return true;
}

}  // namespace ingot::kube
