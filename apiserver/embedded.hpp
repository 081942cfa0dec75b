// The whole embedded Kubernetes API: storage, object semantics, CRDs and HTTP in one object. It speaks TLS on a socket
// and, to its own process, through any in-memory transport (`handler()` + `localAdmin()`).
#pragma once

#include "apiserver/crd/controller.hpp"
#include "apiserver/http/auth.hpp"
#include "apiserver/http/extension.hpp"
#include "apiserver/registry/registry.hpp"
#include "base/runtime.hpp"
#include "base/task.hpp"
#include "net/certificates.hpp"
#include "net/server.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ingot::apiserver {

struct EmbeddedOptions {
  std::string dataDir;              // empty: objects and keys live in memory only (tests, simulation)
  std::string listen;               // "127.0.0.1:6443", "[::1]:0"; port 0: a free one; empty: no socket
  std::string kubeconfigOut;        // written 0600 once listening; empty: `dataDir`/kubeconfig, if there is a dataDir
  std::vector<BearerToken> tokens;  // besides client certificates
  // Further DNS names and addresses that the server's certificate is good for, besides loopback and `listen`'s.
  std::vector<std::string> extraNames;
  // The machine's own, for a server that listens on all of its addresses.
  std::function<std::vector<std::string>()> machineNames = net::machineNames;

  // CustomResourceDefinitions: YAML or JSON, one or more documents each, or read already. Created when missing; a
  // stored one whose spec differs is brought up to date.
  std::vector<std::string> crds;
  std::vector<json::Object> definitions;
  // Admission of the kinds that CRDs define, run after their schema. Called once; rules may look into the registry,
  // which outlives them.
  std::function<CrdController::Admission(const Registry&)> admission;
  // A CRD that asks for a conversion webhook is refused when its kind has none.
  KindConverters converters;
  // Paths below a prefix that another handler answers, for whoever may ask the API. All outlive this.
  std::vector<ApiExtension> extensions;
  base::Duration certificateCheck = std::chrono::hours(24);  // whether one of the data folder runs out
  RegistryOptions registry = {};
  StoreOptions store = {};
};

class EmbeddedApi {
 public:
  // Opens the storage, defines every stored and given CRD, starts the background work, listens. Throws base::Error in
  // plain words: the folder is in use, the address is taken, a CRD is not usable.
  [[nodiscard]] static base::Task<std::unique_ptr<EmbeddedApi>> start(base::Runtime runtime, EmbeddedOptions options);
  // stop() must have ended.
  ~EmbeddedApi();
  EmbeddedApi(const EmbeddedApi&) = delete;
  EmbeddedApi& operator=(const EmbeddedApi&) = delete;

  // Waits until the API cannot go on (its disk or a part of its own work failed) and throws why.
  [[nodiscard]] base::Task<void> untilFailed();
  // Takes writes: its disk has not failed.
  [[nodiscard]] bool healthy() const;
  // Stops listening, lets running requests finish for `grace`, ends watches and background work.
  [[nodiscard]] base::Task<void> stop(base::Duration grace);

  // The same API without a socket: loopback.serve(localOrigin, api.handler(), EmbeddedApi::localAdmin()).
  [[nodiscard]] net::HttpHandler& handler();
  [[nodiscard]] static net::PeerIdentity localAdmin();

  [[nodiscard]] std::string url() const;                    // "https://127.0.0.1:6443"; "" without a socket
  [[nodiscard]] const std::string& kubeconfig() const;      // its text, for an administrator; "" without a socket
  [[nodiscard]] const std::string& kubeconfigPath() const;  // where it was written; "" when nowhere
  [[nodiscard]] std::uint64_t term() const;                 // grows by one at each start on the same data folder
  [[nodiscard]] Registry& registry();

 private:
  struct State;
  explicit EmbeddedApi(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace ingot::apiserver
