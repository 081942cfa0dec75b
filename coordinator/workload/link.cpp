#include "coordinator/workload/link.hpp"

#include "base/sync.hpp"
#include "kube/core/undecoded.hpp"

namespace ingot::coordinator::workload {
namespace {

constexpr std::string_view kAskedForNodes = "asked for its Nodes";

// More than we hold of one cluster, whatever it sends.
class NoRoom final : public base::Error {
 public:
  using Error::Error;
};

std::unique_ptr<kube::Client> clientOf(const base::Runtime& runtime, net::HttpTransport& transport,
                                       const kube::ClusterConfig& config, const ClusterCacheOptions& options) {
  try {
    return kube::connect(runtime, transport, config,
                         {.retry = {.attempts = 1},
                          .deadline = options.deadline,
                          .bodyLimit = options.replyLimit,
                          .lineLimit = options.replyLimit});
  } catch (const net::HttpError&) {
    // Its text may hold pieces of the key material.
    throw Lost({Unknown::Reason::kubeconfigRefused, "a certificate or key of the kubeconfig cannot be used"});
  }
}

// What the client logs by itself holds words of the server's.
base::Runtime withoutLog(const base::Runtime& runtime) {
  return {runtime.executor, runtime.clock, runtime.random, base::Log::silent()};
}

// nullptr: it does not fit. The document is not kept (kube::decodeObject), nothing is written back from these.
NodeView::Snapshot decodeNode(const json::Value& object) {
  try {
    return std::make_shared<const kube::Node>(json::decode<kube::Node>(object));
  } catch (const json::DecodeError&) {
    return nullptr;
  }
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

Link::Link(base::Runtime runtime, net::HttpTransport& transport, kube::ClusterConfig config,
           const ClusterCacheOptions& options, Told told)
    : runtime_(std::move(runtime)),
      config_(std::move(config)),
      options_(options),
      told_(std::move(told)),
      client_(clientOf(withoutLog(runtime_), transport, config_, options)),
      watcher_(withoutLog(runtime_), client_->api(), kube::Resource::of(kube::Node::info),
               {.pageSize = options.pageSize, .backoff = options.backoff}, *this),
      startedAt_(runtime_.clock.now()),
      heardAt_(startedAt_) {}

base::Task<void> Link::ping(base::Duration deadline) {
  constexpr std::string_view doing = "asked for its version";
  try {
    version_ = serverVersionIn(
        co_await base::withTimeout(runtime_.clock, deadline, "GET /version", client_->api().raw("GET", "/version")));
  } catch (const kube::Error& e) {
    if (e.code() == kube::Error::Code::forbidden) co_return;  // it lives, and knows us
    throw Lost(unknownAfter(e, config_, doing));
  } catch (const base::TimedOut&) {
    throw Lost(unknownAfter({kube::Error::Code::interrupted, "no answer in time"}, config_, doing));
  }
}

void Link::checkUse() const {
  const auto now = runtime_.clock.now();
  if (hopeless_ || (problem_ && !synced_)) throw Lost(*problem_);
  if (!synced_ && now - startedAt_ >= options_.syncTimeout)
    throw Lost({Unknown::Reason::failing, config_.server + " did not list its Nodes in time"});
  if (now - heardAt_ >= options_.staleAfter)
    throw Lost(problem_.value_or(Unknown{Unknown::Reason::failing, config_.server + " tells nothing of its Nodes"}));
}

// --- what the watch brings -------------------------------------------------------------------------------------------

void Link::listStarted() { listed_ = {}; }

void Link::listed(json::Value object) {
  const std::string name = kube::keyOf(object).name;
  if (auto node = decodeNode(object)) {
    listed_.weight += NodeView::weightOf(*node);
    listed_.nodes[name] = std::move(node);
  } else {
    listed_.undecoded[name] = json::textAt(object, {"metadata", "uid"});
  }
  checkRoom(listed_.nodes.size() + listed_.undecoded.size(), listed_.weight);
}

base::Task<void> Link::listFinished(std::string) {
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

void Link::changed(json::Value object) {
  if (auto node = decodeNode(object))
    take(std::move(node));
  else
    takeGone(nodes_.putUndecoded(kube::keyOf(object).name, json::textAt(object, {"metadata", "uid"})));
  checkRoom(nodes_.size() + nodes_.undecoded().size(), nodes_.weight());
  tellNews();
}

void Link::deleted(json::Value object) {
  takeGone(nodes_.drop(kube::keyOf(object).name));
  tellNews();
}

void Link::advanced(const std::string&) {
  heardAt_ = runtime_.clock.now();
  problem_.reset();
}

void Link::failed(const std::exception& error) {
  if (const auto* known = dynamic_cast<const kube::Error*>(&error)) {
    problem_ = unknownAfter(*known, config_, kAskedForNodes);
    if (known->code() == kube::Error::Code::unauthorized) told_.refused();
  } else if (dynamic_cast<const NoRoom*>(&error)) {
    problem_ = Unknown{Unknown::Reason::failing, fmt::format("{} {}", config_.server, error.what())};
    hopeless_ = true;
  } else {
    problem_ = Unknown{Unknown::Reason::failing, config_.server + " does not show its Nodes as Kubernetes does"};
  }
  told_.troubled();
}

void Link::take(NodeView::Snapshot node) {
  const auto before = nodes_.put(node);
  if (before && !sameIdentity(*before, *node)) takeGone(before);
  if (!before || !sameInWhatMatters(*before, *node)) news_.push_back(std::move(node));
}

void Link::takeGone(NodeView::Snapshot node) {
  if (node) news_.push_back(std::move(node));
}

void Link::tellNews() {
  const auto news = std::exchange(news_, {});
  if (!synced_) return;  // all of them will be told of at once
  for (const auto& node : news) told_.changed(*node);
}

void Link::checkRoom(std::size_t count, std::size_t weight) const {
  if (count > options_.mostNodes) throw NoRoom(fmt::format("has more than {} Nodes", options_.mostNodes));
  if (weight > options_.mostNodeBytes)
    throw NoRoom(fmt::format("has Nodes of more than {} bytes", options_.mostNodeBytes));
}

// --- calls -----------------------------------------------------------------------------------------------------------

base::Task<kube::Node> Link::patchNode(std::string node, kube::PatchType type, json::Value patch) {
  constexpr std::string_view doing = "asked to patch a Node";
  try {
    const json::Value stored = co_await client_->api().patch(kube::Resource::of(kube::Node::info),
                                                             {.namespace_ = "", .name = node}, type, std::move(patch));
    co_return json::decode<kube::Node>(stored);
  } catch (const kube::Error& e) {
    throw afterCall(e, doing);
  } catch (const json::DecodeError&) {
    throw kube::Error(kube::Error::Code::badAnswer, config_.server + " answered a patch with something else");
  }
}

base::Task<bool> Link::deleteNode(std::string node, std::string uid) {
  try {
    const auto answer = co_await client_->api().remove(kube::Resource::of(kube::Node::info),
                                                       {.namespace_ = "", .name = node}, {.uid = std::move(uid)});
    co_return answer.has_value();
  } catch (const kube::Error& e) {
    if (e.code() == kube::Error::Code::conflict) co_return false;  // it is another Node of that name
    throw afterCall(e, "asked to delete a Node");
  }
}

kube::Error Link::afterCall(const kube::Error& error, std::string_view doing) {
  if (error.code() == kube::Error::Code::unauthorized) told_.refused();
  return inOurWords(error, config_, doing);
}

}  // namespace ingot::coordinator::workload
