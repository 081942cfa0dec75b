// What the runtime of kube/ is proved against. The cases in this folder are compiled twice: with a server in memory
// under a manual clock (kube_tests), and with the contract suite's peer, the embedded API over HTTPS or a real
// kube-apiserver, in real time (contract_tests).
#pragma once

#include "kube/client/config.hpp"
#include "kube/runtime/cache.hpp"
#include "kube/runtime/draft.hpp"
#include "tests/kube/servers/link.hpp"
#include "tests/kube/widget.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ingot::tests {

class Server {
 public:
  virtual ~Server() = default;
  [[nodiscard]] virtual base::Runtime runtime() = 0;
  [[nodiscard]] virtual net::HttpTransport& transport() = 0;
  [[nodiscard]] virtual kube::ClusterConfig cluster() = 0;
  // A fresh namespace; Widgets can be created in it.
  [[nodiscard]] virtual std::string space() = 0;
  // Nobody can watch from a version up to the present one any more.
  virtual void forgetHistory() = 0;
  virtual void run(base::Task<void> task) = 0;
  // Lets the loop run until `done` holds; false when the time limit has passed first.
  [[nodiscard]] virtual bool until(const std::function<bool()>& done) = 0;
};
[[nodiscard]] std::unique_ptr<Server> openServer();

template <class T>
base::Task<void> storeResult(base::Task<T> task, std::optional<T>& into) {
  into = co_await std::move(task);
}

// One client behind a link that can be disturbed, and a second client whose link is not.
struct Session {
  std::unique_ptr<Server> server = openServer();
  base::Runtime runtime = server->runtime();
  std::string space = server->space();
  Link link{runtime, server->transport()};
  std::unique_ptr<kube::Client> client = kube::connect(runtime, link, server->cluster());
  std::unique_ptr<kube::Client> somebody = kube::connect(runtime, server->transport(), server->cluster());
  base::TaskGroup tasks{runtime.executor, runtime.log};

  Session() = default;
  ~Session() { close(); }
  void close() { server->run(tasks.close()); }

  template <class T>
  T run(base::Task<T> task) {
    if constexpr (std::is_void_v<T>) {
      server->run(std::move(task));
    } else {
      std::optional<T> result;
      server->run(storeResult(std::move(task), result));
      return std::move(*result);
    }
  }
  [[nodiscard]] bool until(const std::function<bool()>& done) { return server->until(done); }

  [[nodiscard]] kube::ObjectKey key(const std::string& name) const { return {space, name}; }
  Widget create(const std::string& name, std::int64_t size = 0) {
    Widget wanted = widget(name, size);
    wanted.metadata.namespace_ = space;
    return run(somebody->create(std::move(wanted)));
  }
  Widget resize(const std::string& name, std::int64_t size) {
    return run(somebody->patch<Widget>(key(name), json::Object{{"spec", json::Object{{"size", size}}}}));
  }
  void erase(const std::string& name) { static_cast<void>(run(somebody->remove<Widget>(key(name)))); }
  std::optional<Widget> stored(const std::string& name) { return run(somebody->get<Widget>(key(name))); }

  // Watches this session's namespace; a broken stream is taken up again soon.
  [[nodiscard]] kube::CacheOptions watching() const {
    kube::CacheOptions options{.namespaces = {space}};
    options.watcher.backoff = {std::chrono::milliseconds(100), std::chrono::seconds(1)};
    return options;
  }
  [[nodiscard]] std::string path() const { return "/apis/test.ingot.dev/v1/namespaces/" + space + "/widgets"; }
  [[nodiscard]] std::size_t lists() const { return link.count("GET " + path() + "?limit"); }
};

}  // namespace ingot::tests
