// A whole API in memory under virtual time, a user of it, and a door for the process under test that counts its writes
// and breaks them. Sites of controllers are made of it.
#pragma once

#include "apiserver/embedded.hpp"
#include "kube/client/client.hpp"
#include "kube/client/config.hpp"
#include "kube/core/event.hpp"
#include "kube/core/namespace.hpp"
#include "net/loopback.hpp"
#include "tests/support/loop.hpp"

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ingot::tests {

class ApiSite {
 public:
  ~ApiSite();
  ApiSite(const ApiSite&) = delete;
  ApiSite& operator=(const ApiSite&) = delete;

  // --- what users do, in namespace "metal" ---
  template <class T>
  T create(T object) {
    object.metadata.uid.clear();
    return run(user_->create(std::move(object)));
  }
  template <class T>
  void patch(const std::string& name, const std::string& mergePatch) {
    run(user_->patch<T>({"metal", name}, json::parse(mergePatch)));
  }
  template <class T>
  void patchStatus(const std::string& name, const std::string& mergePatch) {
    run(user_->patchStatus<T>({"metal", name}, json::parse(mergePatch)));
  }
  template <class T>
  void remove(const std::string& name) {
    run(user_->remove<T>({"metal", name}));
  }
  void settle(base::Duration d = std::chrono::seconds(3)) { loop.clock.advance(d); }

  // --- what there is ---
  template <class T>
  [[nodiscard]] std::optional<T> find(const std::string& name) {
    return run(user_->get<T>({"metal", name}));
  }
  template <class T>
  [[nodiscard]] std::vector<T> all() {
    return run(user_->list<T>({.namespace_ = "metal"}));
  }
  [[nodiscard]] std::int64_t told(const std::string& reason);  // Events, repetitions counted

  // --- what the process does ---
  enum class Death { before, after };     // a write is done
  std::vector<std::string> writes;        // "PATCH /apis/…", Events apart
  std::vector<std::string> reads;         // paths of single objects
  std::optional<std::size_t> dieAtWrite;  // from then on nothing gets through any more
  Death death = Death::before;
  bool dead = false;
  // The API forbids writes (and reads) to paths that end so; "": to none.
  std::string forbidden;
  bool forbidsReads = false;
  // Called before a request of the process is handled; what it does is done first.
  std::function<base::Task<void>(const net::ServerRequest&)> meanwhile;
  // For `meanwhile`: the user's own writes.
  template <class T>
  [[nodiscard]] base::Task<void> patchMeanwhile(std::string name, std::string mergePatch) {
    static_cast<void>(co_await user_->patch<T>({"metal", std::move(name)}, json::parse(mergePatch)));
  }

  template <class T>
  [[nodiscard]] base::Task<void> patchStatusMeanwhile(std::string name, std::string mergePatch) {
    static_cast<void>(co_await user_->patchStatus<T>({"metal", std::move(name)}, json::parse(mergePatch)));
  }

  Loop loop;

 protected:
  explicit ApiSite(std::vector<json::Object> definitions);

  static constexpr const char* kProcess = "https://controller.test";
  template <class T>
  T run(base::Task<T> task) {
    return loop.run(std::move(task));
  }
  [[nodiscard]] kube::Client& user() { return *user_; }
  [[nodiscard]] net::Loopback& network() { return network_; }

 private:
  class Gateway;

  net::Loopback network_{loop.runtime};
  std::unique_ptr<apiserver::EmbeddedApi> api_;
  std::unique_ptr<Gateway> gateway_;
  std::unique_ptr<kube::Client> user_;
};

}  // namespace ingot::tests
