// What dashboards for controllers read: client-go's and controller-runtime's names, with what is true here.
#include "kube/client/counted_transport.hpp"
#include "kube/runtime/controller.hpp"
#include "tests/kube/cluster.hpp"
#include "tests/support/exposition.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using kube::Next;
using kube::ObjectKey;
using tests::Cluster;
using tests::Exposition;
using tests::Widget;

namespace {

struct SlowReconciler final : kube::Reconciler {
  explicit SlowReconciler(base::Clock& c) : clock(c) {}
  base::Task<Next> reconcile(ObjectKey key) override {
    seen.push_back(key.name);
    co_await clock.sleepFor(takes);
    if (fails) throw base::Error("no");
    co_return again;
  }
  base::Clock& clock;
  base::Duration takes = 10s;
  bool fails = false;
  Next again = Next::onChange();
  std::vector<std::string> seen;
};

struct CountedController : Cluster {
  base::Metrics page;
  kube::Cache<Widget> cache{runtime, client->api()};
  SlowReconciler reconciler{loop.clock};
  std::unique_ptr<kube::Controller> controller;

  explicit CountedController(base::Duration syncPeriod = {}) {
    controller = std::make_unique<kube::Controller>(runtime,
                                                    kube::ControllerOptions{.name = "widget",
                                                                            .concurrency = 2,
                                                                            .backoff = {1s, 1min, 2.0, 0.0},
                                                                            .metrics = &page,
                                                                            .syncPeriod = syncPeriod},
                                                    reconciler);
    controller->watchMain<Widget>(cache);
  }
  ~CountedController() { run(tasks.close()); }

  void start() {
    cache.start(tasks);
    tasks.spawn("controller", controller->run());
    settle();
  }
  [[nodiscard]] double value(const std::string& name, const std::string& more = "") const {
    const std::string labels =
        name.starts_with("workqueue") ? R"(name="widget",controller="widget")" : R"(controller="widget")";
    return Exposition(page.expose()).value(name, labels + more);
  }
};

}  // namespace

TEST_CASE("a queue tells what waits, what is worked on, and for how long", "[kube][metrics]") {
  CountedController c;
  for (const char* name : {"a", "b", "c", "d"}) c.put(name, 1);
  c.start();
  c.advance(4s);
  CHECK(c.value("workqueue_depth", R"(,priority="backlog")") == 2);
  CHECK(c.value("workqueue_depth", R"(,priority="change")") == 0);
  CHECK(c.value("workqueue_adds_total") == 4);
  CHECK(c.value("workqueue_unfinished_work_seconds") == 8);
  CHECK(c.value("workqueue_longest_running_processor_seconds") == 4);
  CHECK(c.value("controller_runtime_active_workers") == 2);
  CHECK(c.value("controller_runtime_max_concurrent_reconciles") == 2);
  c.advance(30s);
  CHECK(c.value("workqueue_depth", R"(,priority="backlog")") == 0);
  CHECK(c.value("workqueue_unfinished_work_seconds") == 0);
  CHECK(c.value("workqueue_queue_duration_seconds_count") == 4);
  CHECK(c.value("workqueue_queue_duration_seconds_sum") == 20);
  CHECK(c.value("workqueue_work_duration_seconds_sum") == 40);
  CHECK(c.value("workqueue_retries_total") == 0);
  CHECK(c.value("controller_runtime_active_workers") == 0);
  CHECK(c.value("controller_runtime_reconcile_total", R"(,result="success")") == 4);
  CHECK(c.value("controller_runtime_reconcile_time_seconds_count") == 4);
}

TEST_CASE("a key that is added while it is worked on has waited from then on, and counts once more",
          "[kube][metrics]") {
  CountedController c;
  c.put("a", 1);
  c.start();
  c.advance(4s);
  c.put("a", 2);
  c.put("a", 3);
  c.advance(30s);
  CHECK(c.value("workqueue_adds_total") == 2);
  CHECK(c.value("workqueue_queue_duration_seconds_sum") == 6);
}

TEST_CASE("failures and waits are retries, and each failure is an error", "[kube][metrics]") {
  CountedController c;
  c.reconciler.takes = 0s;
  c.reconciler.fails = true;
  c.put("a", 1);
  c.start();
  c.advance(3500ms);  // after 1 s and 2 s more
  CHECK(c.value("workqueue_retries_total") == 3);
  CHECK(c.value("controller_runtime_reconcile_errors_total") == 3);
  CHECK(c.value("controller_runtime_reconcile_total", R"(,result="error")") == 3);
  c.reconciler.fails = false;
  c.reconciler.again = Next::after(1h);
  c.advance(5s);
  CHECK(c.value("workqueue_retries_total") == 4);
  CHECK(c.value("controller_runtime_reconcile_total", R"(,result="requeue_after")") == 1);
}

TEST_CASE("news that is looked at later is no retry", "[kube][metrics]") {
  CountedController c;
  c.reconciler.takes = 0s;
  c.start();
  for (int i = 0; i < 100; ++i) c.controller->queue().add({"", "a"}, kube::Priority::change, 1s);
  c.advance(2s);
  CHECK(c.reconciler.seen == std::vector<std::string>{"a"});
  CHECK(c.value("workqueue_retries_total") == 0);
}

TEST_CASE("the page of a controller that has ended can still be read", "[kube][metrics]") {
  CountedController c;
  c.start();
  c.run(c.tasks.close());
  c.controller.reset();
  CHECK(c.value("workqueue_adds_total") == 0);
}

TEST_CASE("every series is named, helped and typed once, as Prometheus reads them", "[kube][metrics]") {
  CountedController c;
  c.put("a", 1);
  c.start();
  c.advance(30s);
  const Exposition page(c.page.expose());
  CHECK(page.problems() == std::vector<std::string>{});
  CHECK(page.type("workqueue_depth") == "gauge");
  CHECK(page.type("workqueue_adds_total") == "counter");
  CHECK(page.type("workqueue_queue_duration_seconds") == "histogram");
  CHECK(page.type("workqueue_work_duration_seconds") == "histogram");
  CHECK(page.type("workqueue_unfinished_work_seconds") == "gauge");
  CHECK(page.type("workqueue_longest_running_processor_seconds") == "gauge");
  CHECK(page.type("workqueue_retries_total") == "counter");
  CHECK(page.type("controller_runtime_reconcile_total") == "counter");
  CHECK(page.type("controller_runtime_reconcile_errors_total") == "counter");
  CHECK(page.type("controller_runtime_reconcile_time_seconds") == "histogram");
  CHECK(page.type("controller_runtime_active_workers") == "gauge");
  CHECK(page.type("controller_runtime_max_concurrent_reconciles") == "gauge");
}

TEST_CASE("with a sync period every object is looked at again, after what has changed", "[kube][controller]") {
  CountedController c(10min);
  c.reconciler.takes = 0s;
  for (const char* name : {"a", "b"}) c.put(name, 1);
  c.start();
  c.advance(9min);
  CHECK(c.reconciler.seen.size() == 2);
  c.advance(2min);  // up to a tenth later
  CHECK(c.reconciler.seen == std::vector<std::string>{"a", "b", "a", "b"});
  c.advance(1h);
  CHECK(c.reconciler.seen.size() >= 2 * 6);
  CHECK(c.reconciler.seen.size() <= 2 * 8);
}

TEST_CASE("without a sync period what rests is left alone", "[kube][controller]") {
  CountedController c;
  c.reconciler.takes = 0s;
  c.put("a", 1);
  c.start();
  c.advance(24h);
  CHECK(c.reconciler.seen.size() == 1);
}

TEST_CASE("requests to Kubernetes are counted by code, host and method", "[kube][metrics]") {
  Cluster cluster;
  base::Metrics page;
  kube::CountedTransport transport(cluster.network, page);
  const auto client =
      kube::connect(cluster.runtime, transport, {.server = "https://fake:6443"}, {.retry = {.attempts = 1}});
  cluster.put("a", 1);
  for (int i = 0; i < 2; ++i) CHECK(cluster.run(client->get<Widget>({"ns", "a"})));
  CHECK_FALSE(cluster.run(client->get<Widget>({"ns", "b"})));
  cluster.network.remove("https://fake:6443");
  CHECK_THROWS_AS(cluster.run(client->get<Widget>({"ns", "a"})), kube::Error);
  const Exposition seen(page.expose());
  const auto count = [&](const std::string& code) {
    return seen.value("rest_client_requests_total", "code=\"" + code + R"(",host="fake:6443",method="GET")");
  };
  CHECK(count("200") == 2);
  CHECK(count("404") == 1);
  CHECK(count("<error>") == 1);
  CHECK(seen.problems() == std::vector<std::string>{});
}
