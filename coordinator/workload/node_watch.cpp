#include "coordinator/workload/node_watch.hpp"

#include "kube/core/names.hpp"
#include "kube/core/undecoded.hpp"

namespace ingot::coordinator::workload {
namespace {

constexpr std::string_view kAskedForNodes = "asked for its Nodes";
constexpr std::string_view kTakesMost = "has the largest Nodes, and those of all clusters take too much room";

// More than we hold of one cluster, whatever it sends.
class NoRoom final : public base::Error {
 public:
  using Error::Error;
};

// Every Node has one, and it goes into conditions and logs: nothing else does that a server may want to put there.
std::string nameOf(const json::Value& object) {
  std::string name = kube::keyOf(object).name;
  if (kube::subdomainProblem(name)) throw base::Error("a Node without a name that is one");
  return name;
}

// nullptr: it does not fit. The document is not kept (kube::decodeObject), nothing is written back from these.
NodeView::Snapshot decodeNode(const json::Value& object) {
  try {
    return std::make_shared<const kube::Node>(json::decode<kube::Node>(object));
  } catch (const json::DecodeError&) {
    return nullptr;
  }
}

// A page may be as small as the server likes, and is a request each.
unsigned pagesFor(const ClusterCacheOptions& options) {
  return 20 + 2 * static_cast<unsigned>(options.mostNodes / static_cast<std::size_t>(options.pageSize));
}

bool sameIdentity(const kube::Node& a, const kube::Node& b) {
  const auto label = [](const kube::Node& node, std::string_view key) {
    const std::string* value = node.metadata.label(std::string(key));
    return value ? *value : "";
  };
  return a.metadata.uid == b.metadata.uid && a.spec.providerId == b.spec.providerId &&
         label(a, kUuidLabel) == label(b, kUuidLabel) && label(a, kHostnameLabel) == label(b, kHostnameLabel);
}

bool sameInWhatMatters(const kube::Node& a, const kube::Node& b) {
  kube::ObjectMeta metadata = a.metadata;
  metadata.resourceVersion = b.metadata.resourceVersion;
  return metadata == b.metadata && a.spec == b.spec && a.status == b.status;
}

}  // namespace

NodeWatch::NodeWatch(base::Runtime runtime, kube::Api& api, const kube::ClusterConfig& config,
                     const ClusterCacheOptions& options, const Room& room, Told told)
    : runtime_(std::move(runtime)),
      config_(config),
      options_(options),
      told_(std::move(told)),
      watcher_(runtime_, api, kube::Resource::of(kube::Node::info),
               {.pageSize = options.pageSize, .mostPages = pagesFor(options), .backoff = options.backoff}, *this),
      room_(room.shared),
      seat_(*room_, room.namespace_, [this] { letGo(); }),
      startedAt_(runtime_.clock.now()),
      heardAt_(startedAt_),
      newsPace_(base::intervalOf(options.newsRate.perSecond), options.newsRate.burst) {}

void NodeWatch::checkUse() const {
  const auto now = runtime_.clock.now();
  if (hopeless_) throw Lost(*hopeless_);
  if (problem_ && !synced_) throw Lost(*problem_);
  if (!synced_ && now - startedAt_ >= options_.syncTimeout)
    throw Lost({Unknown::Reason::failing, config_.server + " did not list its Nodes in time"});
  if (now - heardAt_ >= options_.staleAfter)
    throw Lost(problem_.value_or(Unknown{Unknown::Reason::failing, config_.server + " tells nothing of its Nodes"}));
}

void NodeWatch::listStarted() { listed_ = {}; }

void NodeWatch::listed(json::Value object) {
  const std::string name = nameOf(object);
  if (auto node = decodeNode(object)) {
    listed_.weight += NodeView::weightOf(*node);
    listed_.nodes[name] = std::move(node);
  } else {
    std::string uid = json::textAt(object, {"metadata", "uid"});
    listed_.weight += NodeView::weightOfUndecoded(name, uid);
    listed_.undecoded[name] = std::move(uid);
  }
  checkRoom(++listed_.count, listed_.weight);
}

base::Task<void> NodeWatch::listFinished(std::string) {
  Listed all = std::exchange(listed_, {});
  for (const auto& name : nodes_.names())
    if (!all.nodes.contains(name) && !all.undecoded.contains(name)) takeGone(nodes_.drop(name));
  for (const auto& [name, uid] : all.undecoded) takeGone(nodes_.putUndecoded(name, uid));
  for (auto& [name, node] : all.nodes) take(std::move(node));
  heardAt_ = runtime_.clock.now();
  problem_.reset();
  tellNews();
  if (!std::exchange(synced_, true)) told_.synced();
  co_return;
}

void NodeWatch::changed(json::Value object) {
  heard();
  const std::string name = nameOf(object);
  if (auto node = decodeNode(object))
    take(std::move(node));
  else
    takeGone(nodes_.putUndecoded(name, json::textAt(object, {"metadata", "uid"})));
  checkRoom(nodes_.size() + nodes_.undecoded().size(), nodes_.weight());
  tellNews();
}

void NodeWatch::deleted(json::Value object) {
  heard();
  takeGone(nodes_.drop(kube::keyOf(object).name));
  tellNews();
}

void NodeWatch::advanced(const std::string&) { heard(); }

void NodeWatch::failed(const std::exception& error) {
  if (const auto* known = dynamic_cast<const kube::Error*>(&error)) {
    problem_ = unknownAfter(*known, config_, kAskedForNodes);
    if (known->code() == kube::Error::Code::unauthorized) told_.refused();
  } else if (dynamic_cast<const NoRoom*>(&error)) {
    hopeless_ = Unknown{Unknown::Reason::failing, fmt::format("{} {}", config_.server, error.what())};
  } else {
    problem_ = Unknown{Unknown::Reason::failing, config_.server + " does not show its Nodes as Kubernetes does"};
  }
  told_.troubled();
}

void NodeWatch::take(NodeView::Snapshot node) {
  const auto before = nodes_.put(node);
  if (before && !sameIdentity(*before, *node)) takeGone(before);
  if (!before || !sameInWhatMatters(*before, *node)) news_.push_back(std::move(node));
}

void NodeWatch::takeGone(NodeView::Snapshot node) {
  if (node) news_.push_back(std::move(node));
}

void NodeWatch::tellNews() {
  takeRoom();
  const auto news = std::exchange(news_, {});
  if (!synced_) return;  // all of them will be told of at once
  for (const auto& node : news) told_.changed(*node);
}

// A cluster that never stops talking would take all time of the thread that everybody shares.
void NodeWatch::heard() {
  heardAt_ = runtime_.clock.now();
  problem_.reset();
  if (!newsPace_.takeNow(heardAt_)) throw NoRoom("tells of its Nodes without pause");
}

void NodeWatch::checkRoom(std::size_t count, std::size_t weight) {
  if (count > options_.mostNodes) throw NoRoom(fmt::format("has more than {} Nodes", options_.mostNodes));
  if (weight > options_.mostNodeBytes)
    throw NoRoom(fmt::format("has Nodes of more than {} bytes", options_.mostNodeBytes));
  takeRoom();
  if (seat_.mustGo()) throw NoRoom(std::string(kTakesMost));
}

void NodeWatch::hasUnfinished(std::size_t before, std::size_t bytes) {
  unfinished_ += bytes - before;
  takeRoom();
}

void NodeWatch::takeRoom() { seat_.take(listed_.weight + nodes_.weight() + unfinished_); }

// What is kept is dropped with the link.
void NodeWatch::letGo() {
  hopeless_ = Unknown{Unknown::Reason::failing, fmt::format("{} {}", config_.server, kTakesMost)};
  told_.troubled();
}

}  // namespace ingot::coordinator::workload
