#include "ironic-client/sweep.hpp"

namespace ingot::ironic {

namespace {

base::Duration withJitter(base::Duration pause, double share, base::Random& random) {
  const double factor = 1.0 + share * (2.0 * random.unit() - 1.0);
  return base::Duration(static_cast<std::int64_t>(static_cast<double>(pause.count()) * factor));
}

}  // namespace

Sweep::Sweep(base::Runtime runtime, Connection& connection, NodeCache& cache, Pace pace)
    : runtime_(runtime.named("ironic")),
      connection_(connection),
      cache_(cache),
      pace_(pace),
      triggered_(runtime.executor) {}

base::Task<void> Sweep::once() {
  const std::shared_ptr<Client> client = co_await connection_.ready();
  const auto ticket = cache_.ask();
  std::vector<Node> nodes = co_await client->listNodes(sweptFields(client->features().health()));
  cache_.learnAll(std::move(nodes), ticket, runtime_.clock.now());
}

base::Task<bool> Sweep::attempt() {
  try {
    co_await once();
    co_return true;
  } catch (const base::Cancelled&) {
    throw;
  } catch (const std::exception& error) {  // whatever it was, the next answer may be one to work with
    connection_.invalidate();
    runtime_.log.debug("sweep failed", {{"reason", error.what()}});
    co_return false;
  }
}

base::Task<void> Sweep::rest(bool answered) {
  const base::Duration wanted = !answered ? pace_.down : cache_.restless() ? pace_.busy : pace_.calm;
  base::MonoTime next = runtime_.clock.now() + withJitter(wanted, pace_.jitter, runtime_.random);
  while (runtime_.clock.now() < next) {
    const bool triggered = co_await triggered_.waitUntil(runtime_.clock, next);
    if (triggered) next = std::min(next, runtime_.clock.now() + pace_.busy);
  }
}

base::Task<void> Sweep::run() {
  while (true) {
    const bool answered = co_await attempt();
    co_await rest(answered);
  }
}

void Sweep::trigger() { triggered_.notifyAll(); }

}  // namespace ingot::ironic
