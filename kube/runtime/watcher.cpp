#include "kube/runtime/watcher.hpp"

#include "base/yield.hpp"
#include "kube/core/resource_version.hpp"
#include "kube/core/undecoded.hpp"
#include "kube/runtime/served_versions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace ingot::kube {
namespace {

constexpr unsigned kResumesBeforeList = 5;
constexpr base::Duration kAbsentRetry = std::chrono::seconds(30);
constexpr std::int64_t kSmallestPage = 4;  // objects of any content are an answer that can be read
constexpr std::size_t kListedAtOnce = 50;  // objects; then others have a turn
constexpr base::Duration kShortWatch = std::chrono::seconds(1);
constexpr unsigned kMostEmptyPages = 1000;  // of one list: what a server skips, it may skip page by page

// The watch cannot be resumed, because the history that we know is not the server's any more.
class MustList final : public base::Error {
 public:
  using Error::Error;
};

Error errorOf(const json::Value& status) {
  const auto code = json::intAt(status, {"code"}).value_or(500);
  return errorFrom(static_cast<int>(code), json::serialize(status), "", "watching");
}

Error tooDeep(const json::Value& object) {
  return {Error::Code::badAnswer, keyOf(object).text() + " is nested too deep to be read"};
}

}  // namespace

void WatchSink::listedTooDeep(const json::Value& object) { throw tooDeep(object); }

void WatchSink::changedTooDeep(const json::Value& object) { throw tooDeep(object); }

Watcher::Watcher(base::Runtime runtime, Api& api, Resource resource, WatcherOptions options, WatchSink& sink)
    : runtime_{runtime.executor, runtime.clock, runtime.random, runtime.log.with("resource", resource.name())},
      api_(api),
      resource_(std::move(resource)),
      options_(std::move(options)),
      sink_(sink),
      pageSize_(options_.pageSize) {}

base::Task<void> Watcher::run() {
  while (true) {
    switch (state_) {
      case State::listing: state_ = co_await list(); break;
      case State::watching:
      case State::resuming: state_ = co_await watch(); break;
    }
  }
}

base::Task<Watcher::State> Watcher::list() {
  std::string problem;
  std::optional<Error> notFound;
  try {
    co_await listPages();
    seen_ = true;
    unserved_.clear();
    co_return State::watching;
  } catch (const Error& e) {
    problem = e.what();
    if (e.code() == Error::Code::notFound)
      notFound = e;
    else
      sink_.failed(e);
  } catch (const base::Cancelled&) {
    throw;
  } catch (const std::exception& e) {  // a watch that ended would leave its cache behind for ever
    problem = e.what();
    sink_.failed(e);
  }
  if (notFound)
    co_await unserved(std::move(*notFound));
  else
    co_await failed(std::move(problem));
  co_return State::listing;
}

base::Task<void> Watcher::unserved(Error notFound) {
  std::string problem = notFound.what();
  std::optional<Unserved> found;
  try {
    found = co_await lookFor();
  } catch (const Error& e) {
    problem = e.what();
  }
  if (!found || found->why != Unserved::Why::notInstalled) sink_.failed(notFound);
  if (!found) co_return co_await failed(std::move(problem));
  if (found->why == Unserved::Why::notInstalled && !std::exchange(absent_, true)) {
    resourceVersion_.clear();
    sink_.listStarted();
    co_await sink_.listFinished("");
  }
  tellUnserved(*found);
  if (found->why == Unserved::Why::missing) co_return co_await failed(std::move(problem));
  succeeded();
  co_await runtime_.clock.sleepFor(kAbsentRetry);
}

base::Task<Unserved> Watcher::lookFor() {
  const auto versions = co_await servedVersions(api_, resource_);
  if (std::ranges::find(versions, resource_.version) != versions.end())
    throw Error(Error::Code::notFound, resource_.name() + " is served since a moment ago");
  if (!versions.empty())
    co_return Unserved{Unserved::Why::otherVersions, fmt::format("the API serves {} as {}, not as {}", resource_.name(),
                                                                 fmt::join(versions, ", "), resource_.version)};
  const bool mayBe = options_.mayBeAbsent && !seen_;
  co_return Unserved{mayBe ? Unserved::Why::notInstalled : Unserved::Why::missing,
                     fmt::format("the API does not serve {} {}", resource_.name(), resource_.version)};
}

void Watcher::tellUnserved(const Unserved& unserved) {
  sink_.notServed(unserved);
  if (unserved_ == unserved.problem) return;
  unserved_ = unserved.problem;
  const bool isFine = unserved.why == Unserved::Why::notInstalled;
  if (isFine)
    runtime_.log.info("the server does not serve this kind", {{"problem", unserved.problem}});
  else
    runtime_.log.error("the server does not serve a kind that is waited for", {{"problem", unserved.problem}});
}

// When the server forgets the snapshot between two pages, this list has failed like any other, and the next one begins
// with the first page: in one piece it could be of any size, and the token that a server offers for the rest goes on at
// another version.
base::Task<void> Watcher::listPages() {
  sink_.listStarted();
  Page page;
  unsigned empty = 0, pages = 0;
  do {
    if (options_.mostPages > 0 && ++pages > options_.mostPages)
      throw Error(Error::Code::badAnswer, "the list of " + resource_.name() + " has more pages than it needs");
    page = co_await readPage(std::move(page.next));
    if (page.items.empty() && page.tooDeep.empty() && ++empty > kMostEmptyPages)
      throw Error(Error::Code::badAnswer, "the list of " + resource_.name() + " has pages without end");
    for (std::size_t i = 0; i < page.items.size(); ++i) {
      sink_.listed(std::move(page.items[i]));
      if ((i + 1) % kListedAtOnce == 0) co_await base::yieldToLoop();
    }
    for (const json::Value& object : page.tooDeep) sink_.listedTooDeep(object);
  } while (!page.next.empty());
  resourceVersion_ = page.resourceVersion;
  pageSize_ = options_.pageSize;
  co_await sink_.listFinished(resourceVersion_);
}

base::Task<Page> Watcher::readPage(std::string next) {
  const ListQuery query{.namespace_ = options_.namespace_,
                        .labelSelector = options_.labelSelector,
                        .fieldSelector = options_.fieldSelector,
                        .pageSize = pageSize_,
                        .nameTooDeep = true};
  try {
    co_return co_await api_.listPage(resource_, query, std::move(next));
  } catch (const Error& e) {
    if (e.code() == Error::Code::badAnswer && options_.mostPages == 0)
      pageSize_ = std::max(kSmallestPage, pageSize_ / 4);
    throw;
  }
}

base::Task<Watcher::State> Watcher::watch() {
  const base::MonoTime openedAt = runtime_.clock.now();
  std::string problem;
  State next = State::resuming;
  try {
    co_await follow();
    if (runtime_.clock.now() - openedAt >= kShortWatch) succeeded();
    problem = "the watch ended";
  } catch (const MustList& e) {
    problem = e.what();
    next = State::listing;
    sink_.failed(e);
  } catch (const Error& e) {
    problem = e.what();
    sink_.failed(e);
    const bool hopeless =
        e.code() == Error::Code::gone || e.code() == Error::Code::notFound || failures_ >= kResumesBeforeList;
    next = hopeless ? State::listing : State::resuming;
  } catch (const base::Cancelled&) {
    throw;
  } catch (const std::exception& e) {
    problem = e.what();
    next = State::listing;
    sink_.failed(e);
  }
  state_ = next;  // at once: what is known is behind while it rests
  co_await failed(std::move(problem));
  co_return next;
}

base::Task<void> Watcher::follow() {
  const auto least = std::chrono::duration_cast<std::chrono::seconds>(options_.shortestWatch).count();
  auto stream = co_await api_.watch(
      resource_, {.namespace_ = options_.namespace_,
                  .labelSelector = options_.labelSelector,
                  .fieldSelector = options_.fieldSelector,
                  .resourceVersion = resourceVersion_,
                  .timeoutSeconds = static_cast<std::int64_t>(
                      least + runtime_.random.below(static_cast<std::uint64_t>(std::max<std::int64_t>(least, 1))))});
  state_ = State::watching;
  const base::MonoTime openedAt = runtime_.clock.now();
  base::MonoTime heardAt = openedAt;
  try {
    while (auto event = co_await stream.next(options_.idle)) {
      heardAt = runtime_.clock.now();
      take(std::move(*event));
      if (heardAt - openedAt >= kShortWatch) succeeded();  // what ends at once is a failure, whatever it told
    }
  } catch (const Error& e) {
    const bool silent = e.code() == Error::Code::interrupted && runtime_.clock.now() - heardAt >= options_.idle;
    if (!silent) throw;
    throw MustList("nothing heard, not even a bookmark");
  }
}

void Watcher::take(WatchEvent event) {
  if (event.type == WatchEvent::Type::error) throw errorOf(event.object);
  std::string version = resourceVersionOf(event.object);
  if (olderVersion(version, resourceVersion_)) throw MustList("the server's versions went backwards");
  switch (event.type) {
    case WatchEvent::Type::added:
    case WatchEvent::Type::modified:
      if (event.tooDeep)
        sink_.changedTooDeep(event.object);
      else
        sink_.changed(std::move(event.object));
      break;
    case WatchEvent::Type::deleted: sink_.deleted(std::move(event.object)); break;
    case WatchEvent::Type::bookmark:
      if (version.empty()) throw Error(Error::Code::badAnswer, "watch: a bookmark without a version");
      break;
    case WatchEvent::Type::error: break;
  }
  if (version.empty()) return;
  resourceVersion_ = std::move(version);
  sink_.advanced(resourceVersion_);
}

base::Task<void> Watcher::failed(std::string what) {
  if (failures_++ == 0) co_return;
  const base::Duration wait = options_.backoff.delay(failures_ - 2, runtime_.random);
  runtime_.log.warn("watching fails", {{"error", what}, {"failures", failures_}});
  co_await runtime_.clock.sleepFor(wait);
}

}  // namespace ingot::kube
