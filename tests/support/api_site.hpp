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
  // Whatever holds it.
  template <class T>
  void removeByForce(const std::string& name) {
    remove<T>(name);
    if (find<T>(name)) patch<T>(name, R"({"metadata":{"finalizers":null}})");
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
  template <class T>
  [[nodiscard]] std::vector<std::string> names() {
    std::vector<std::string> out;
    for (const auto& object : all<T>()) out.push_back(object.metadata.name);
    return out;
  }
  [[nodiscard]] std::int64_t told(const std::string& reason);     // Events, repetitions counted
  [[nodiscard]] std::string toldText(const std::string& reason);  // their words, each once, with " | " between

  // --- what the process does ---
  std::vector<std::string> writes;  // "PATCH /apis/…", Events apart
  std::vector<std::string> reads;   // paths of single objects
  // This write is not done, or its answer is lost, or it is done when carryOutLate() says so and nothing like it
  // before.
  enum class Death { before, after, late };
  std::optional<std::size_t> dieAtWrite;
  Death death = Death::before;
  bool survives = false;     // only this connection breaks; otherwise nothing gets through any more
  bool brokeAWrite = false;  // that one has been sent
  bool dead = false;
  void carryOutLate();
  // The API forbids writes (and reads) to paths that end so; "": to none.
  std::string forbidden;
  bool forbidsReads = false;
  int denials = 0;                // so many writes whose path holds …
  std::string denied;             // … this are answered with 403
  std::string heldWatch;          // watches whose path holds this …
  base::Duration watchHeldFor{};  // … begin so late
  // What is answered in the API's place; status 0: the connection breaks.
  struct Answer {
    int status = 0;
    std::string body = {};
  };
  std::function<std::optional<Answer>(const net::ServerRequest&)> instead;
  // Called before a request of the process is handled; what it does is done first.
  std::function<base::Task<void>(const net::ServerRequest&)> meanwhile;
  // For `meanwhile`: the user's own writes.
  template <class T>
  [[nodiscard]] base::Task<void> patchMeanwhile(std::string name, std::string mergePatch) {
    static_cast<void>(co_await user_->patch<T>({"metal", std::move(name)}, json::parse(mergePatch)));
  }

  template <class T>
  [[nodiscard]] base::Task<void> removeMeanwhile(std::string name) {
    static_cast<void>(co_await user_->remove<T>({"metal", std::move(name)}));
  }
  template <class T>
  [[nodiscard]] base::Task<void> createMeanwhile(T object) {
    object.metadata.uid.clear();
    static_cast<void>(co_await user_->create(std::move(object)));
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
  [[nodiscard]] apiserver::EmbeddedApi& server() { return *api_; }

 private:
  class Gateway;

  net::Loopback network_{loop.runtime};
  std::unique_ptr<apiserver::EmbeddedApi> api_;
  std::unique_ptr<Gateway> gateway_;
  std::unique_ptr<kube::Client> user_;
  std::optional<net::ServerRequest> late_;
};

}  // namespace ingot::tests
