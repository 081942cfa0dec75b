#include "apiserver/store/store.hpp"

#include "apiserver/store/committer.hpp"
#include "apiserver/store/packer.hpp"
#include "base/yield.hpp"

#include <boost/asio/post.hpp>

#include <set>
#include <utility>

namespace ingot::apiserver {
namespace {

struct Collection {
  explicit Collection(base::Executor executor) : changed(std::move(executor)) {}
  Store::Objects objects;
  base::Notifier changed;
  std::map<std::string, base::Notifier> changedIn;  // namespaces that somebody follows
};

// Writes that share one transaction.
struct Batch {
  explicit Batch(base::Executor executor) : settled(std::move(executor)) {}
  std::vector<Change> changes;
  std::size_t bytes = 0;
  std::vector<Event> events;  // what becomes visible, change by change
  base::Notifier settled;
  bool done = false;
  std::optional<StoreError> failure;
};
using BatchPtr = std::shared_ptr<Batch>;

StoreError refusalFor(const JournalError& error) {
  switch (error.code()) {
    case JournalError::Code::full: return {StoreError::Code::full, error.what()};
    case JournalError::Code::failed: return {StoreError::Code::failed, error.what()};
  }
  std::unreachable();
}

// A number above every earlier revision, even of one that was lost: nobody writes a million times a second.
Revision resumeAt(Revision stored, base::WallTime now) {
  const auto since = std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch()).count();
  return std::max<Revision>(stored, since);
}

// A number above the term of every earlier start, even of one that was lost: nobody starts once a second for long.
std::uint64_t leastTerm(base::WallTime now) {
  const auto since = std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
  return static_cast<std::uint64_t>(std::max<std::int64_t>(since, 0));
}

bool same(const ObjectPtr& a, const ObjectPtr& b) {
  if (!a || !b) return !a && !b;
  return a->revision == b->revision;
}

}  // namespace

struct Store::State : std::enable_shared_from_this<Store::State> {
  State(base::Runtime r, StoreOptions o)
      : runtime(std::move(r)), options(o), history(o.history), changedAny(runtime.executor), broke(runtime.executor) {}

  using Slot = std::pair<std::string, ObjectKey>;

  base::Runtime runtime;
  StoreOptions options;
  std::map<std::string, Collection> collections;
  History history;
  Packer packer{{}, runtime.log};
  base::Notifier changedAny;
  std::vector<Observer> observers;
  Revision durable = 0;   // the newest that anybody may see
  Revision assigned = 0;  // the newest given to a write
  std::uint64_t term = 0;
  std::set<Journal::Name> unreadable;
  std::unique_ptr<Committer> committer;
  std::deque<BatchPtr> waiting;  // the last one still gathers
  BatchPtr committing;
  std::size_t queued = 0, queuedBytes = 0;
  std::map<Slot, BatchPtr> busy;  // keys with a write that is not settled
  bool kicked = false, closed = false;
  std::optional<std::string> broken;
  base::Notifier broke;

  Collection& collection(const std::string& resource) {
    return collections.try_emplace(resource, runtime.executor).first->second;
  }

  // An object from the disk. False: it cannot be read, which its name alone may tell (it may be a Secret).
  bool take(const std::string& resource, const ObjectKey& key, std::string body) {
    try {
      auto object = makeObject(std::move(body));
      if (object->key != key) throw base::Error("it says that it is another object");
      packer.add(resource, object);
      collection(resource).objects.insert_or_assign(key, std::move(object));
      return true;
    } catch (const std::bad_alloc&) {  // says nothing about the object
      throw;
    } catch (const std::exception& problem) {
      runtime.log.error(
          "a stored object cannot be read and was set aside",
          {{"resource", resource}, {"namespace", key.space}, {"name", key.name}, {"reason", problem.what()}});
      return false;
    }
  }

  ObjectPtr find(const std::string& resource, const ObjectKey& key) const {
    const auto at = collections.find(resource);
    if (at == collections.end()) return nullptr;
    const auto found = at->second.objects.find(key);
    return found == at->second.objects.end() ? nullptr : found->second;
  }

  BatchPtr writerOf(const Slot& slot) const {
    const auto at = busy.find(slot);
    return at == busy.end() ? nullptr : at->second;
  }

  void breakDown(std::string why) {
    broken = std::move(why);
    broke.notifyAll();
  }

  void refuseWhenUnable() const {
    if (closed) throw StoreError(StoreError::Code::closed, "the store is closing");
    if (broken) throw StoreError(StoreError::Code::failed, *broken);
    if (queued >= options.queuedChanges || queuedBytes >= options.queuedBytes) {
      throw StoreError(StoreError::Code::overloaded, "too many writes are waiting for the disk");
    }
  }

  Batch& gathering() {
    const bool full = !waiting.empty() && (waiting.back()->changes.size() >= options.batchChanges ||
                                           waiting.back()->bytes >= options.batchBytes);
    if (waiting.empty() || full) {
      waiting.push_back(std::make_shared<Batch>(runtime.executor));
    }
    return *waiting.back();
  }

  base::Task<ObjectPtr> write(std::string resource, ObjectKey key, ObjectPtr seen, Build build, bool removal);
  void kick();
  void startBatch();
  void settle(const Committer::Outcome& outcome);
  void release(const Batch& batch);
  void close();
  void publish(const Batch& batch);
};

base::Task<ObjectPtr> Store::State::write(std::string resource, ObjectKey key, ObjectPtr seen, Build build,
                                          bool removal) {
  const auto self = shared_from_this();
  const Slot slot{resource, key};
  while (const BatchPtr other = writerOf(slot)) {
    if (!other->done) co_await other->settled.wait();
  }
  const ObjectPtr current = find(resource, key);
  if (!same(current, seen)) throw StoreError(StoreError::Code::stale, "the object changed meanwhile");
  refuseWhenUnable();

  const Revision revision = assigned + 1;
  ObjectPtr object = build(revision);
  assigned = revision;
  gathering().changes.push_back({std::move(resource), std::move(key), revision, removal ? nullptr : object});
  const BatchPtr batch = waiting.back();
  ++queued;
  queuedBytes += object->body.size();
  batch->bytes += object->body.size();
  batch->events.push_back(removal ? Event{revision, current, nullptr, object} : Event{revision, current, object, {}});
  busy.emplace(slot, batch);
  kick();

  while (!batch->done) co_await batch->settled.wait();
  if (batch->failure) throw *batch->failure;
  co_return object;
}

// Starts a commit at the end of this turn of the loop, so that writes of the same turn share it.
void Store::State::kick() {
  if (kicked || committing) return;
  kicked = true;
  boost::asio::post(runtime.executor, [self = shared_from_this()] {
    self->kicked = false;
    self->startBatch();
  });
}

void Store::State::startBatch() {
  if (committing || waiting.empty() || closed) return;
  committing = std::move(waiting.front());
  waiting.pop_front();
  queued -= committing->changes.size();
  queuedBytes -= committing->bytes;
  committer->commit(committing->changes,
                    [self = shared_from_this()](const Committer::Outcome& outcome) { self->settle(outcome); });
}

void Store::State::settle(const Committer::Outcome& outcome) {
  const BatchPtr batch = std::exchange(committing, nullptr);
  if (!batch) return;  // closed meanwhile
  if (outcome) {
    batch->failure = refusalFor(*outcome);
    if (batch->failure->code() == StoreError::Code::failed) breakDown(outcome->what());
    runtime.log.error("writes refused by the disk", {{"writes", batch->changes.size()}, {"reason", outcome->what()}});
  }
  release(*batch);
  startBatch();  // the disk works while this batch is published
  if (!batch->failure) publish(*batch);
  batch->done = true;
  batch->settled.notifyAll();
}

// Ends every wait: a writer that still waits is told that the store closed (the outcome of the batch at work is
// unknown).
void Store::State::close() {
  closed = true;
  committer.reset();
  if (committing) waiting.push_front(std::exchange(committing, nullptr));
  for (const auto& batch : std::exchange(waiting, {})) {
    batch->failure = StoreError(StoreError::Code::closed, "the store is closing");
    batch->done = true;
    batch->settled.notifyAll();
  }
  busy.clear();
}

void Store::State::release(const Batch& batch) {
  for (const auto& change : batch.changes) busy.erase({change.resource, change.key});
}

void Store::State::publish(const Batch& batch) {
  std::set<Collection*> touched;
  std::set<base::Notifier*> followers;
  const base::MonoTime now = runtime.clock.now();
  for (std::size_t i = 0; i < batch.changes.size(); ++i) {
    const auto& change = batch.changes[i];
    const auto& event = batch.events[i];
    auto& target = collection(change.resource);
    if (change.object) {
      target.objects[change.key] = change.object;
    } else {
      target.objects.erase(change.key);
      unreadable.erase({change.resource, change.key});
    }
    history.add(change.resource, event, now);
    packer.add(change.resource, event.next ? event.next : event.last);
    durable = change.revision;
    touched.insert(&target);
    if (const auto at = target.changedIn.find(change.key.space); at != target.changedIn.end())
      followers.insert(&at->second);
    for (const auto& observer : observers) observer(change.resource, event);
  }
  for (auto* target : touched) target->changed.notifyAll();
  for (auto* follower : followers) follower->notifyAll();
  changedAny.notifyAll();
}

Store::Store(base::Runtime runtime, std::unique_ptr<Journal> journal, StoreOptions options)
    : state_(std::make_shared<State>(std::move(runtime), options)) {
  auto& state = *state_;
  const auto each = [&](const std::string& resource, const ObjectKey& key, std::string body) {
    return state.take(resource, key, std::move(body));
  };
  const auto loaded = journal->load(each, leastTerm(state.runtime.clock.wall()));
  state.unreadable = {loaded.unreadable.begin(), loaded.unreadable.end()};
  if (!loaded.moved) {
    state.runtime.log.warn(
        "no space left on the disk of the data folder: what cannot be read stays where it is until the next start");
  }
  state.durable = loaded.revision;
  state.assigned = loaded.revision == 0 ? 0 : resumeAt(loaded.revision, state.runtime.clock.wall());
  state.term = loaded.term;
  state.history.begin(state.durable, state.assigned);
  state.committer = options.commit == StoreOptions::Commit::worker
                        ? workerCommitter(state.runtime.executor, std::move(journal))
                        : inLineCommitter(state.runtime.executor, std::move(journal));
}

Store::~Store() { state_->close(); }

Revision Store::revision() const { return state_->durable; }
std::uint64_t Store::term() const { return state_->term; }

ObjectPtr Store::find(const std::string& resource, const ObjectKey& key) const { return state_->find(resource, key); }

const Store::Objects& Store::objects(const std::string& resource) const { return state_->collection(resource).objects; }

base::Task<Store::Objects> Store::objectsAt(std::string resource, Revision revision) const {
  const auto state = state_;
  History::States changed;
  for (Revision from = revision;;) {
    if (!state->history.reaches(resource, from)) {
      throw StoreError(StoreError::Code::expired, "the history does not reach back that far");
    }
    const auto rewound = state->history.rewind(resource, from, changed);
    if (rewound.done) break;
    from = rewound.through;
    co_await base::yieldToLoop();
  }
  Objects then = state->collection(resource).objects;
  for (auto& [key, object] : changed) {
    if (object) {
      then[key] = std::move(object);
    } else {
      then.erase(key);
    }
  }
  co_return then;
}

std::vector<std::string> Store::kinds() const {
  std::vector<std::string> names;
  for (const auto& [name, collection] : state_->collections) {
    if (!collection.objects.empty()) names.push_back(name);
  }
  return names;
}

const std::set<Journal::Name>& Store::unreadable() const { return state_->unreadable; }

bool Store::writing(const std::string& space) const {
  return std::any_of(state_->busy.begin(), state_->busy.end(),
                     [&](const auto& entry) { return entry.first.second.space == space; });
}

bool Store::writingTo(const std::string& resource) const {
  const auto at = state_->busy.lower_bound({resource, ObjectKey{}});
  return at != state_->busy.end() && at->first.first == resource;
}

base::Task<ObjectPtr> Store::put(std::string resource, ObjectKey key, ObjectPtr seen, Build build) {
  return state_->write(std::move(resource), std::move(key), std::move(seen), std::move(build), false);
}

base::Task<ObjectPtr> Store::erase(std::string resource, ObjectKey key, ObjectPtr seen, Build build) {
  return state_->write(std::move(resource), std::move(key), std::move(seen), std::move(build), true);
}

void Store::refresh(const std::string& resource, const std::function<ObjectPtr(const Object&)>& fresh) {
  for (auto& [key, object] : state_->collection(resource).objects) {
    if (auto next = fresh(*object)) {
      object = std::move(next);
      state_->packer.add(resource, object);
    }
  }
}

Stretch Store::eventsAfter(const std::string& resource, const EventQuery& query) const {
  if (!state_->history.reaches(resource, query.after)) {
    throw StoreError(StoreError::Code::expired, "the history does not reach back that far");
  }
  return state_->history.after(resource, query);
}

base::Notifier& Store::changed(const std::string& resource, const std::string& space) {
  Collection& target = state_->collection(resource);
  return space.empty() ? target.changed : target.changedIn.try_emplace(space, state_->runtime.executor).first->second;
}
void Store::wakeFollowers(const std::string& resource) {
  Collection& target = state_->collection(resource);
  target.changed.notifyAll();
  for (auto& [space, notifier] : target.changedIn) notifier.notifyAll();
}

base::Notifier& Store::changed() { return state_->changedAny; }
void Store::observe(Observer observer) { state_->observers.push_back(std::move(observer)); }
std::size_t Store::historySize() const { return state_->history.size(); }

const std::optional<std::string>& Store::failure() const { return state_->broken; }

base::Task<void> Store::untilFailed() {
  const auto state = state_;
  while (!state->broken) co_await state->broke.wait();
  throw StoreError(StoreError::Code::failed, *state->broken);
}

}  // namespace ingot::apiserver
