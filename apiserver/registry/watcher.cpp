#include "apiserver/registry/errors.hpp"
#include "apiserver/registry/reader.hpp"
#include "base/yield.hpp"

namespace ingot::apiserver {
namespace {

constexpr std::size_t batchEvents = 256;
constexpr std::size_t batchBytes = 1u << 20;  // of bodies; one event is always sent
// Of a watch of one namespace: then its position moves on past events of the kind in other ones, which do not wake it.
constexpr base::Duration longestSleep = std::chrono::seconds(10);
constexpr base::Duration lastBookmarkBefore = std::chrono::seconds(2);

struct Plan {
  Selection selection;
  Revision position = 0;           // everything up to here is known to the client, initial events included
  std::vector<ObjectPtr> initial;  // to be sent as ADDED, last first
  bool markInitialEnd = false;
  bool bookmarks = false;
  base::MonoTime deadline;
  base::Duration bookmarkInterval;
};

class StoreWatch final : public Watch {
 public:
  StoreWatch(base::Clock& clock, Store& store, KindPtr kind, const bool& stopping, Plan plan)
      : clock_(clock), store_(store), kind_(std::move(kind)), stopping_(stopping), plan_(std::move(plan)) {
    planBookmark();
  }

  base::Task<std::vector<WatchEvent>> next() override {
    while (!ended_ && !stopping_ && !kind_->retired) {
      if (!plan_.initial.empty() || plan_.markInitialEnd) co_return initialEvents();
      const Revision before = plan_.position;
      auto events = changes();
      if (!events.empty()) co_return events;
      if (plan_.position != before) {  // there may be more, and none of it for this watcher
        co_await base::yieldToLoop();
        continue;
      }
      const auto now = clock_.now();
      if (now >= plan_.deadline) break;
      if (plan_.bookmarks && now >= nextBookmark_) co_return bookmark();
      (void)co_await store_.changed(kind_->stored, plan_.selection.space).waitUntil(clock_, nextLook());
    }
    ended_ = true;
    co_return std::vector<WatchEvent>{};
  }

 private:
  [[nodiscard]] base::MonoTime nextLook() const {
    const auto until = plan_.bookmarks ? std::min(plan_.deadline, nextBookmark_) : plan_.deadline;
    return plan_.selection.space.empty() ? until : std::min(until, clock_.now() + longestSleep);
  }

  std::vector<WatchEvent> initialEvents() {
    std::vector<WatchEvent> events;
    std::size_t bytes = 0;
    while (!plan_.initial.empty() && events.size() < batchEvents && bytes < batchBytes) {
      auto object = std::move(plan_.initial.back());
      plan_.initial.pop_back();
      bytes += object->body.size();
      const Revision revision = object->revision;
      events.push_back(
          {.type = WatchEvent::Type::added, .object = std::move(object), .revision = revision, .initial = true});
    }
    if (plan_.initial.empty() && std::exchange(plan_.markInitialEnd, false)) {
      events.push_back({WatchEvent::Type::bookmark, nullptr, plan_.position, true});
    }
    return events;
  }

  // What of the next stretch of history concerns this watcher.
  std::vector<WatchEvent> changes() {
    std::vector<WatchEvent> events;
    try {
      const auto recent =
          store_.eventsAfter(kind_->stored, {plan_.position, batchEvents, batchBytes, plan_.selection.space});
      for (const auto& event : recent.events) translate(event, events);
      plan_.position = recent.through;
    } catch (const StoreError&) {
      ended_ = true;
      events.push_back(
          {.type = WatchEvent::Type::error,
           .error =
               expired(fmt::format("too old resource version: {} ({})", plan_.position, store_.revision())).status()});
    }
    return events;
  }

  void translate(const Event& event, std::vector<WatchEvent>& events) const {
    const auto fits = [&](const ObjectPtr& object) { return object && plan_.selection.matches(*object); };
    const bool was = fits(event.previous), is = fits(event.next);
    if (is) {
      events.push_back({was ? WatchEvent::Type::modified : WatchEvent::Type::added, event.next, event.revision});
    } else if (was) {
      // Gone, or out of the selection: the old content under the new revision.
      events.push_back({WatchEvent::Type::deleted,
                        event.last ? event.last : withRevision(*event.previous, event.revision), event.revision});
    }
  }

  static ObjectPtr withRevision(const Object& object, Revision revision) {
    json::Value document = documentOf(object);
    return makeObject(document, revision);
  }

  std::vector<WatchEvent> bookmark() {
    planBookmark();
    // Nothing of this kind is pending, so everything durable up to now was sent.
    plan_.position = std::max(plan_.position, store_.revision());
    return {{WatchEvent::Type::bookmark, nullptr, plan_.position}};
  }

  // Every interval, and once shortly before the end.
  void planBookmark() {
    const auto now = clock_.now();
    const auto last = plan_.deadline - lastBookmarkBefore;
    nextBookmark_ = now + plan_.bookmarkInterval;
    if (now < last)
      nextBookmark_ = std::min(nextBookmark_, last);
    else
      nextBookmark_ = plan_.deadline;
  }

  base::Clock& clock_;
  Store& store_;
  KindPtr kind_;
  const bool& stopping_;
  Plan plan_;
  base::MonoTime nextBookmark_;
  bool ended_ = false;
};

void refuseContradictions(const WatchOptions& options) {
  const auto forbid = [](std::string_view why) {
    throw invalidOptions("ListOptions", {forbiddenValue("resourceVersionMatch", why)});
  };
  if (options.sendInitialEvents) {
    if (options.match != VersionMatch::notOlderThan) {
      forbid("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
    }
    return;
  }
  if (options.match != VersionMatch::unset) {
    forbid("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
  }
}

std::optional<Revision> startingRevision(const std::string& text) {
  try {
    return revisionIn(text);
  } catch (const ApiError& e) {
    throw internalError(e.what());  // upstream answers a watch so
  }
}

}  // namespace

std::string_view typeName(WatchEvent::Type type) {
  switch (type) {
    case WatchEvent::Type::added: return "ADDED";
    case WatchEvent::Type::modified: return "MODIFIED";
    case WatchEvent::Type::deleted: return "DELETED";
    case WatchEvent::Type::bookmark: return "BOOKMARK";
    case WatchEvent::Type::error: return "ERROR";
  }
  std::unreachable();
}

std::unique_ptr<Watch> Reader::watch(const Target& target, const WatchOptions& options, const bool& stopping) {
  auto kind = kinds_.require(target, "watch");
  refuseContradictions(options);
  Plan plan;
  plan.selection = {target.space, LabelSelector::parse(options.labelSelector),
                    FieldSelector::parse(options.fieldSelector, kind->info)};
  const auto from = startingRevision(options.resourceVersion);
  const bool initial = options.sendInitialEvents.value_or(!from);
  plan.position = initial ? store_.revision() : from.value_or(store_.revision());
  plan.bookmarks = options.allowBookmarks;
  plan.bookmarkInterval = options_.bookmarkInterval;
  plan.markInitialEnd = options.allowBookmarks && options.sendInitialEvents.value_or(false);
  if (initial) {
    for (const auto& [key, object] : store_.objects(kind->stored)) {
      if (plan.selection.matches(*object)) plan.initial.push_back(object);
    }
    std::reverse(plan.initial.begin(), plan.initial.end());
  }
  const auto timeout = options.timeout.value_or(std::chrono::seconds(1800 + runtime_.random.below(1800)));
  plan.deadline = runtime_.clock.now() + timeout;
  return std::make_unique<StoreWatch>(runtime_.clock, store_, std::move(kind), stopping, std::move(plan));
}

}  // namespace ingot::apiserver
