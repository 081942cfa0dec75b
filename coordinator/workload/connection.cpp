#include "coordinator/workload/connection.hpp"

namespace ingot::coordinator::workload {
namespace {

constexpr base::Duration kGoodConduct = std::chrono::minutes(10);

}  // namespace

// The Secret says something else: what stands is of the past.
class Connection::Rotated final : public base::Error {
 public:
  Rotated() : base::Error("the kubeconfig has changed") {}
};

Connection::Connection(base::Runtime runtime, kube::Api& management, net::HttpTransport& transport,
                       const ClusterCacheOptions& options, const Shares& shares, kube::ObjectKey cluster, Told told)
    : runtime_{runtime.executor, runtime.clock, runtime.random, runtime.log.with("cluster", cluster.text())},
      transport_(transport),
      options_(options),
      shares_(shares),
      cluster_(std::move(cluster)),
      told_(std::move(told)),
      secret_(management, cluster_, options.environment),
      unknown_{Unknown::Reason::connecting, "the connection to the workload cluster is being opened"},
      metrics_(options.page, cluster_),
      wake_(runtime.executor) {
  metrics_.connected(false);  // also of one whose kubeconfig never gets as far as a connection
}

std::expected<const NodeView*, Unknown> Connection::nodes() const {
  if (!synced()) return std::unexpected(unknown_);
  return &link_->watch().nodes();
}

base::Task<void> Connection::run(std::shared_ptr<Connection> self) { co_await self->abort_.run(self->tryForEver()); }

void Connection::end() {
  ended_ = true;
  metrics_.forget();
  abort_.abort();
}

base::Task<void> Connection::tryForEver() {
  for (unsigned failures = 0;;) {
    syncedAt_.reset();
    try {
      co_await attempt();
    } catch (const Rotated& e) {
      runtime_.log.info("connecting to the workload cluster anew", {{"why", e.what()}});
    } catch (const Lost& e) {
      becomeUnknown(e.why());
    } catch (const base::Cancelled&) {
      throw;
    } catch (const std::exception& e) {  // a connection that ended here would never be opened again
      runtime_.log.error("a connection to a workload cluster failed unexpectedly", {{"error", e.what()}});
      becomeUnknown({Unknown::Reason::failing, "the connection failed unexpectedly"});
    }
    const auto hasLasted = [&](base::Duration d) { return syncedAt_ && runtime_.clock.now() - *syncedAt_ >= d; };
    const bool isFailing = unknown_.reason == Unknown::Reason::failing;
    // A server that answers and is of no use, again and again, is asked less and less often.
    if (hasLasted(isFailing ? kGoodConduct : options_.probeInterval)) failures = 0;
    // One that has lasted is opened again at once: its server may have moved, or its credentials may have changed. That
    // these have changed is no reason by itself: who changes them without end would have us dial without end.
    const bool mayBeBack = !isFailing && hasLasted(options_.probeInterval);
    if (!mayBeBack) co_await runtime_.clock.sleepFor(options_.backoff.delay(failures++, runtime_.random));
  }
}

base::Task<void> Connection::attempt() {
  try {
    static_cast<void>(co_await secret_.look());
  } catch (const kube::Error& e) {
    const bool isRefused = e.code() == kube::Error::Code::forbidden;  // that lasts
    throw Lost({isRefused ? Unknown::Reason::failing : Unknown::Reason::connecting,
                fmt::format("its kubeconfig cannot be read: {}", kube::nameOf(e.code()))});
  }
  if (!secret_.config()) throw Lost(secret_.config().error());

  std::shared_ptr<Link> watched;  // the watch's, until it has ended
  base::TaskGroup tasks(runtime_.executor, base::Log::silent());
  std::exception_ptr why;
  try {
    co_await open();
    watched = link_;
    tasks.spawn("watch Nodes", watched->watch().run());
    co_await supervise();
  } catch (...) {
    why = std::current_exception();
  }
  link_ = nullptr;
  metrics_.connected(false);
  co_await tasks.close();
  std::rethrow_exception(why);
}

std::shared_ptr<Link> Connection::linkTo(kube::ClusterConfig config) {
  return std::make_shared<Link>(runtime_, transport_, std::move(config), options_, shares_, cluster_.namespace_,
                                listening());
}

// In the cluster itself the way of its pods is taken: the address that the kubeconfig names may be a load balancer's,
// and lead nowhere from here once this node is one of those behind it.
base::Task<void> Connection::open() {
  link_ = linkTo(*secret_.config());
  if (const auto lost = co_await ping(options_.deadline)) throw Lost(*lost);
  const auto pod = ownPodIn(options_.environment);
  if (!pod || !co_await link_->holds(*pod)) co_return;
  auto within = fromWithin(*secret_.config(), options_.environment, options_.account);
  if (!within) co_return;
  link_ = linkTo(std::move(*within));
  if (const auto lost = co_await ping(options_.deadline)) throw Lost(*lost);
}

NodeWatch::Told Connection::listening() {
  return {.synced = [this] { becameKnown(); },
          .changed = [this](const kube::Node& node) { tell(&node); },
          .troubled =
              [weak = weak_from_this()] {  // by another cluster that needs the room, perhaps
                if (const auto self = weak.lock()) self->wake_.notifyAll();
              },
          .refused = [weak = weak_from_this()] {  // by a call, perhaps, that outlasts this
            if (const auto self = weak.lock()) self->probeNow();
          }};
}

void Connection::probeNow() {
  probeAt_ = runtime_.clock.now();
  wake_.notifyAll();
}

// Ends by an exception: the link is of no use any more.
base::Task<void> Connection::supervise() {
  auto& clock = runtime_.clock;
  probesFailed_ = 0;
  probeAt_ = clock.now() + jittered(options_.probeInterval);
  lookAt_ = clock.now() + jittered(options_.lookInterval);
  while (true) {
    link_->watch().checkUse();
    const auto next = std::min(probeAt_, lookAt_);
    if (clock.now() < next)
      static_cast<void>(co_await wake_.waitUntil(clock, next));
    else if (clock.now() >= probeAt_)
      co_await probe();
    else
      co_await lookAgain();
  }
}

base::Task<void> Connection::probe() {
  const auto lost = co_await ping(options_.probeDeadline);
  probeAt_ = runtime_.clock.now() + jittered(options_.probeInterval);
  if (!lost) {
    probesFailed_ = 0;
    co_return;
  }
  const bool isRefused = lost->why().reason == Unknown::Reason::unauthorized;
  if (isRefused) co_await lookAgain();
  if (isRefused || ++probesFailed_ >= options_.probesUntilLost) throw *lost;
}

base::Task<std::optional<Lost>> Connection::ping(base::Duration deadline) {
  std::optional<Lost> lost;
  try {
    co_await link_->ping(deadline);
  } catch (const Lost& e) {
    lost = e;
  }
  metrics_.probed(!lost);
  co_return lost;
}

// Throws Rotated, or Lost, when the Secret says something else than the one this link was made with.
base::Task<void> Connection::lookAgain() {
  bool isOther = false;
  try {
    isOther = co_await secret_.look();
  } catch (const kube::Error& e) {  // no reason to let go of a connection that works
    runtime_.log.debug("the kubeconfig cannot be read", {{"error", e.what()}});
  }
  lookAt_ = runtime_.clock.now() + jittered(options_.lookInterval);
  if (!isOther) co_return;
  if (!secret_.config()) throw Lost(secret_.config().error());
  throw Rotated();
}

// A list that was on its way when the link was let go of is of no use any more.
void Connection::becameKnown() {
  if (!link_ || ended_) return;
  syncedAt_ = runtime_.clock.now();
  unknown_ = {Unknown::Reason::connecting, "the connection to the workload cluster is being opened anew"};
  runtime_.log.info("connected to the workload cluster",
                    {{"server", link_->server()}, {"nodes", link_->watch().nodes().size()}});
  metrics_.connected(true);
  tell(nullptr);
}

void Connection::becomeUnknown(Unknown why) {
  if (why == unknown_) return;
  const bool isNews = syncedAt_ || why.reason != unknown_.reason;
  unknown_ = std::move(why);
  const std::initializer_list<base::LogField> fields{{"reason", json::textOf(unknown_.reason)},
                                                     {"problem", unknown_.text}};
  if (unknown_.reason == Unknown::Reason::noKubeconfig)
    runtime_.log.info("a workload cluster has no kubeconfig yet", fields);
  else
    runtime_.log.warn("a workload cluster is not connected", fields);
  if (isNews) tell(nullptr);
}

void Connection::tell(const kube::Node* node) const {
  if (!ended_) told_(cluster_, node);
}

base::Duration Connection::jittered(base::Duration interval) {
  const auto most = static_cast<std::uint64_t>(interval.count() / 10);
  return interval - base::Duration(static_cast<std::int64_t>(runtime_.random.below(most + 1)));
}

}  // namespace ingot::coordinator::workload
