#include "apiserver/store/store.hpp"

#include "apiserver/store/committer.hpp"

#include <boost/asio/post.hpp>

#include <set>
#include <utility>

namespace ingot::apiserver {
namespace {

struct Collection {
  explicit Collection(base::Executor executor) : changed(std::move(executor)) {}
  Store::Objects objects;
  base::Notifier changed;
};

// Writes that share one transaction.
struct Batch {
  explicit Batch(base::Executor executor) : settled(std::move(executor)) {}
  std::vector<Change> changes;
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

bool same(const ObjectPtr& a, const ObjectPtr& b) {
  if (!a || !b) return !a && !b;
  return a->revision == b->revision;
}

}  // namespace

struct Store::State : std::enable_shared_from_this<Store::State> {
  State(base::Runtime r, StoreOptions o)
      : runtime(std::move(r)),
        options(o),
        history(o.historyBytes, o.historyEvents),
        changedAny(runtime.executor),
        broke(runtime.executor) {}

  using Slot = std::pair<std::string, ObjectKey>;

  base::Runtime runtime;
  StoreOptions options;
  std::map<std::string, Collection> collections;
  History history;
  base::Notifier changedAny;
  std::vector<Observer> observers;
  Revision durable = 0;   // the newest that anybody may see
  Revision assigned = 0;  // the newest given to a write
  std::uint64_t term = 0;
  std::unique_ptr<Committer> committer;
  std::deque<BatchPtr> waiting;  // the last one still gathers
  BatchPtr committing;
  std::size_t queued = 0;
  std::map<Slot, BatchPtr> busy;  // keys with a write that is not settled
  bool kicked = false, closed = false;
  std::optional<std::string> broken;
  base::Notifier broke;

  Collection& collection(const std::string& resource) {
    return collections.try_emplace(resource, runtime.executor).first->second;
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
    if (queued >= options.queuedChanges) {
      throw StoreError(StoreError::Code::overloaded, "too many writes are waiting for the disk");
    }
  }

  Batch& gathering() {
    if (waiting.empty() || waiting.back()->changes.size() >= options.batchChanges) {
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

// Nobody may wait for ever: who still does is told that the store closed (of the batch at work: outcome unknown).
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
  for (std::size_t i = 0; i < batch.changes.size(); ++i) {
    const auto& change = batch.changes[i];
    const auto& event = batch.events[i];
    auto& target = collection(change.resource);
    if (change.object) {
      target.objects[change.key] = change.object;
    } else {
      target.objects.erase(change.key);
    }
    history.add(change.resource, event);
    durable = change.revision;
    touched.insert(&target);
    for (const auto& observer : observers) observer(change.resource, event);
  }
  for (auto* target : touched) target->changed.notifyAll();
  changedAny.notifyAll();
}

Store::Store(base::Runtime runtime, std::unique_ptr<Journal> journal, StoreOptions options)
    : state_(std::make_shared<State>(std::move(runtime), options)) {
  auto& state = *state_;
  const auto loaded = journal->load([&](const std::string& resource, std::string body) {
    auto object = makeObject(std::move(body));
    state.collection(resource).objects.insert_or_assign(object->key, object);
  });
  state.durable = state.assigned = loaded.revision;
  state.term = loaded.term;
  state.history.begin(loaded.revision);
  state.committer = options.commit == StoreOptions::Commit::worker
                        ? workerCommitter(state.runtime.executor, std::move(journal))
                        : inLineCommitter(state.runtime.executor, std::move(journal));
}

Store::~Store() { state_->close(); }

Revision Store::revision() const { return state_->durable; }
std::uint64_t Store::term() const { return state_->term; }

ObjectPtr Store::find(const std::string& resource, const ObjectKey& key) const { return state_->find(resource, key); }

const Store::Objects& Store::objects(const std::string& resource) const { return state_->collection(resource).objects; }

Store::Objects Store::objectsAt(const std::string& resource, Revision revision) const {
  if (!state_->history.reaches(resource, revision)) {
    throw StoreError(StoreError::Code::expired, "the history does not reach back that far");
  }
  Objects then = objects(resource);
  const auto events = state_->history.after(resource, revision, SIZE_MAX);
  for (auto event = events.rbegin(); event != events.rend(); ++event) {
    const auto& key = (event->next ? event->next : event->previous)->key;
    if (event->previous) {
      then[key] = event->previous;
    } else {
      then.erase(key);
    }
  }
  return then;
}

std::vector<std::string> Store::kinds() const {
  std::vector<std::string> names;
  for (const auto& [name, collection] : state_->collections) {
    if (!collection.objects.empty()) names.push_back(name);
  }
  return names;
}

bool Store::writing(const std::string& space) const {
  return std::any_of(state_->busy.begin(), state_->busy.end(),
                     [&](const auto& entry) { return entry.first.second.space == space; });
}

base::Task<ObjectPtr> Store::put(std::string resource, ObjectKey key, ObjectPtr seen, Build build) {
  return state_->write(std::move(resource), std::move(key), std::move(seen), std::move(build), false);
}

base::Task<ObjectPtr> Store::erase(std::string resource, ObjectKey key, ObjectPtr seen, Build build) {
  return state_->write(std::move(resource), std::move(key), std::move(seen), std::move(build), true);
}

void Store::refresh(const std::string& resource, const std::function<ObjectPtr(const Object&)>& fresh) {
  for (auto& [key, object] : state_->collection(resource).objects) {
    if (auto next = fresh(*object)) object = std::move(next);
  }
}

std::vector<Event> Store::eventsAfter(const std::string& resource, Revision revision, std::size_t limit) const {
  if (!state_->history.reaches(resource, revision)) {
    throw StoreError(StoreError::Code::expired, "the history does not reach back that far");
  }
  return state_->history.after(resource, revision, limit);
}

base::Notifier& Store::changed(const std::string& resource) { return state_->collection(resource).changed; }
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
