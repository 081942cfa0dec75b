#include "cli/run/feed.hpp"

#include "kube/core/undecoded.hpp"

namespace ingot::cli {
namespace {

// Turns what a watcher tells, lists told again among it, into changes.
class Changes final : public kube::WatchSink {
 public:
  Changes(Session& session, base::Notifier& news) : session_(session), news_(news) {}

  void listStarted() override { listed_.clear(); }
  void listed(json::Value object) override {
    const auto key = kube::keyOf(object);
    listed_[key] = std::move(object);
  }
  base::Task<void> listFinished(std::string) override {
    failures_ = 0;
    for (const auto& [key, object] : known_)
      if (!listed_.contains(key)) queue_.push_back({Change::What::deleted, object});
    for (const auto& [key, object] : listed_) {
      const auto before = known_.find(key);
      if (before == known_.end())
        queue_.push_back({synced_ ? Change::What::changed : Change::What::present, object});
      else if (kube::resourceVersionOf(before->second) != kube::resourceVersionOf(object))
        queue_.push_back({Change::What::changed, object});
    }
    known_ = std::move(listed_);
    if (!std::exchange(synced_, true)) queue_.push_back({Change::What::synced, {}});
    news_.notifyAll();
    co_return;
  }
  void changed(json::Value object) override {
    known_[kube::keyOf(object)] = object;
    push({Change::What::changed, std::move(object)});
  }
  void deleted(json::Value object) override {
    known_.erase(kube::keyOf(object));
    push({Change::What::deleted, std::move(object)});
  }
  void advanced(const std::string&) override {
    failures_ = 0;
    isTold_ = false;
  }
  void failed(const std::exception& error) override {
    last_ = explain(error, session_.server);
    if (++failures_ < kSerious || std::exchange(isTold_, true)) return;
    session_.terminal.note(fmt::format("watching fails, and is tried again: {}", last_->what()));
  }

  // What is known is no longer fresh, and why; nullopt: it is, or one attempt has failed only, as happens.
  [[nodiscard]] std::optional<Failure> trouble() const { return failures_ >= kSerious ? last_ : std::nullopt; }

  std::optional<Change> take() {
    if (queue_.empty()) return std::nullopt;
    Change next = std::move(queue_.front());
    queue_.pop_front();
    return next;
  }

 private:
  static constexpr unsigned kSerious = 2;  // failures in a row

  void push(Change change) {
    queue_.push_back(std::move(change));
    news_.notifyAll();
  }

  Session& session_;
  base::Notifier& news_;
  std::map<kube::ObjectKey, json::Value> known_, listed_;
  std::deque<Change> queue_;
  bool synced_ = false;
  unsigned failures_ = 0;  // in a row
  bool isTold_ = false;    // since the watch worked last
  std::optional<Failure> last_;
};

using Kinds = std::deque<Changes>;  // they stay where they are

// Those of the first kind that is not told whole yet, until all are.
std::optional<Change> takeNext(Kinds& kinds, std::size_t whole) {
  if (whole < kinds.size()) return kinds[whole].take();
  for (auto& changes : kinds)
    if (auto change = changes.take()) return change;
  return std::nullopt;
}

base::Task<bool> pump(base::Clock& clock, Kinds& kinds, base::Notifier& news, std::optional<base::MonoTime> deadline,
                      const Feed::See& see) {
  std::size_t whole = 0;
  for (;;) {
    while (auto change = takeNext(kinds, whole)) {
      if (change->what == Change::What::synced && ++whole < kinds.size()) continue;
      if (see(*change)) co_return true;
    }
    if (!deadline)
      co_await news.wait();
    else if (!co_await news.waitUntil(clock, *deadline))
      co_return false;
  }
}

std::string nameFieldOf(const FeedQuery& query) { return query.name.empty() ? "" : "metadata.name=" + query.name; }

// A watcher never gives up, so these requests find out first whether the server can be reached at all.
base::Task<std::vector<kube::Resource>> served(Session& session, const FeedQuery& query) {
  std::vector<kube::Resource> wanted{query.resource};
  if (query.also) wanted.push_back(*query.also);
  std::vector<kube::Resource> there;
  std::optional<kube::Error> missing;
  for (const auto& resource : wanted) {
    try {
      co_await session.client.api().listPage(
          resource, {.namespace_ = query.namespace_, .fieldSelector = nameFieldOf(query), .pageSize = 1}, {});
      there.push_back(resource);
    } catch (const kube::Error& error) {
      if (error.code() != kube::Error::Code::notFound) throw;
      if (!missing) missing = error;
    }
  }
  if (there.empty()) throw kube::Error(*missing);
  co_return there;
}

}  // namespace

base::Task<bool> Feed::follow(Session& session, FeedQuery query, std::optional<base::Duration> timeout, See see) {
  base::Clock& clock = session.runtime.clock;
  const auto deadline = timeout ? std::optional(clock.now() + *timeout) : std::nullopt;
  const std::vector<kube::Resource> resources = co_await served(session, query);

  base::Notifier news(session.runtime.executor);
  Kinds kinds;
  std::deque<kube::Watcher> watchers;
  base::TaskGroup tasks(session.runtime.executor, session.runtime.log);
  for (const auto& resource : resources) {
    auto& watcher = watchers.emplace_back(
        session.runtime, session.client.api(), resource,
        kube::WatcherOptions{
            .namespace_ = query.namespace_, .labelSelector = query.selector, .fieldSelector = nameFieldOf(query)},
        kinds.emplace_back(session, news));
    tasks.spawn("watch", watcher.run());
  }
  bool ended = false;
  std::exception_ptr failure;
  try {
    ended = co_await pump(clock, kinds, news, deadline, see);
  } catch (...) {
    failure = std::current_exception();
  }
  co_await tasks.close();
  if (failure) std::rethrow_exception(failure);
  for (const auto& changes : kinds) {
    const auto trouble = changes.trouble();
    if (!ended && trouble && trouble->code() == ExitCode::unreachable) throw *trouble;
  }
  co_return ended;
}

}  // namespace ingot::cli
