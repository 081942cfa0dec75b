// A fake API, a client of it and a place for background tasks, on one loop under a manual clock.
#pragma once

#include "base/run.hpp"
#include "kube/client/config.hpp"
#include "kube/runtime/cache.hpp"
#include "net/loopback.hpp"
#include "tests/kube/fake_api.hpp"
#include "tests/kube/widget.hpp"
#include "tests/support/loop.hpp"

#include <memory>
#include <string>

namespace ingot::tests {

struct Cluster {
  Loop loop;
  std::shared_ptr<base::MemorySink> sink = std::make_shared<base::MemorySink>();
  base::Runtime runtime{loop.io.get_executor(), loop.clock, *loop.random, base::Log(sink, "test")};
  FakeApi api{runtime};
  net::Loopback network{runtime};
  std::unique_ptr<kube::Client> client;
  base::TaskGroup tasks{runtime.executor, runtime.log};

  Cluster() {
    network.serve("https://fake:6443", api);
    client = kube::connect(runtime, network, {.server = "https://fake:6443"});
  }
  ~Cluster() { run(tasks.close()); }

  template <class T>
  T run(base::Task<T> task) {
    return base::run(loop.io, loop.clock, std::move(task));
  }
  void settle() { loop.clock.settle(); }
  void advance(base::Duration d) { loop.clock.advance(d); }
  [[nodiscard]] bool until(const std::function<bool()>& done, base::Duration limit = std::chrono::minutes(30)) {
    return loop.clock.advanceUntil(done, limit);
  }

  // Straight into the store, as by somebody else; watches learn of it.
  json::Value put(std::string name, std::int64_t size) {
    const FakeStore::Id id{"widgets", "ns", name};
    json::Value out;
    try {
      out = api.store.patch(id, json::Object{{"spec", json::Object{{"size", size}}}}, false);
    } catch (const ApiFailure&) {
      out = api.store.create("widgets", "ns", kube::encodeObject(widget(std::move(name), size)));
    }
    api.changed();
    return out;
  }
  void erase(const std::string& name) {
    static_cast<void>(api.store.remove({"widgets", "ns", name}, "", ""));
    api.changed();
  }
};

// What a cache told, as text: "+a", "~a", "-a".
struct Told {
  explicit Told(kube::Cache<Widget>& cache) {
    subscription = cache.listen([this](const kube::Cache<Widget>::Change& c) {
      lines.push_back((!c.before ? "+" : c.after ? "~" : "-") + c.key.name);
    });
  }
  std::vector<std::string> take() { return std::exchange(lines, {}); }
  std::vector<std::string> lines;
  kube::Subscription subscription;
};

}  // namespace ingot::tests
