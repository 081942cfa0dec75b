// The server under test: a real kube-apiserver (INGOT_CONTRACT_KUBECONFIG names its kubeconfig) or the embedded API,
// started in this process and spoken to over TLS. The cases do not know which.
#pragma once

#include "json/value.hpp"
#include "net/client.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ingot::contract {

struct Reply {
  int status = 0;
  net::Headers headers;
  std::string text;

  [[nodiscard]] json::Value json() const { return json::parse(text); }
  [[nodiscard]] std::string at(std::initializer_list<std::string_view> path) const {
    return json::textAt(json(), path);
  }
  [[nodiscard]] std::string message() const { return at({"message"}); }
  [[nodiscard]] std::string version() const { return at({"metadata", "resourceVersion"}); }
  [[nodiscard]] std::int64_t generation() const { return json::intAt(json(), {"metadata", "generation"}).value_or(0); }
};

// Who sends a request.
enum class As { admin, nobody };

class Peer {
 public:
  enum class Which { configured, embedded };
  explicit Peer(Which which = Which::configured);
  ~Peer();
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  Reply send(const std::string& method, const std::string& target, std::string body = {}, net::Headers headers = {},
             As as = As::admin);
  Reply get(const std::string& target, const std::string& accept = "application/json");
  Reply post(const std::string& target, const std::string& body) { return send("POST", target, body); }
  Reply put(const std::string& target, const std::string& body) { return send("PUT", target, body); }
  Reply patch(const std::string& target, const std::string& body,
              const std::string& type = "application/merge-patch+json");
  Reply remove(const std::string& target, const std::string& body = {}) { return send("DELETE", target, body); }

  // Answers in the order of the requests, of which some run at the same time.
  std::vector<Reply> sendAll(std::vector<net::HttpRequest> requests);
  // Both at the same time.
  std::pair<Reply, Reply> together(net::HttpRequest a, net::HttpRequest b);
  // Lines of a watch as they come, until `enough` says so or the stream ends. `act` runs once it is open.
  std::vector<json::Value> watch(const std::string& target,
                                 const std::function<bool(const std::vector<json::Value>&)>& enough,
                                 const std::function<void()>& act = {}, const std::string& accept = "application/json");
  // Repeats until `done`; fails the case after some minutes.
  void eventually(const std::function<bool()>& done);

  // The server starts anew on the same data, perhaps at another address, and is ready to list.
  void restart();
  // From now on no version up to the present one can be listed or watched from. `object` is somebody's to write to.
  void forgetHistory(const std::string& object);

  // A fresh namespace and the paths in it.
  std::string space();
  [[nodiscard]] bool embedded() const;

  // For clients of one's own.
  [[nodiscard]] boost::asio::io_context& loop();
  [[nodiscard]] base::Runtime runtime();
  [[nodiscard]] net::HttpTransport& transport();
  [[nodiscard]] std::string kubeconfigPath() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// One for the whole run.
Peer& peer();

inline std::string hosts(const std::string& space) {
  return "/apis/metal3.io/v1alpha1/namespaces/" + space + "/baremetalhosts";
}
inline std::string core(const std::string& space, const std::string& plural) {
  return "/api/v1/namespaces/" + space + "/" + plural;
}
// A BareMetalHost; `metadata` is inserted after its name: ,"labels":{…}
std::string host(const std::string& name, const std::string& spec = R"({"online":true})",
                 const std::string& metadata = {});
std::string configMap(const std::string& name, const std::string& rest = R"(,"data":{"a":"b"})",
                      const std::string& metadata = {});
// A CRD of group test.io with one version; `schema` is that of spec.
std::string crd(const std::string& plural, const std::string& kind, const std::string& schema);
inline const std::string kJsonPatch = "application/json-patch+json";
inline const std::string kCrdPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
// Installs it and waits until its collection answers; returns the collection's path in `space`.
std::string install(const std::string& plural, const std::string& kind, const std::string& schema,
                    const std::string& space);

}  // namespace ingot::contract
