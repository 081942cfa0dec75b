// The Ironic REST API, one function a call (spec/ironic.md §1, §3). Knows nothing of hosts: callers decide.
//
// Every call throws ironic::Error, base::Cancelled. Reads are repeated when a connection breaks; changes never are
// (Error{interrupted}: read before you act again), but for createNode and createPort, which look first whether the lost
// request got through. At most four connections, kept alive: Ironic accepts with a backlog of five.
#pragma once

#include "base/runtime.hpp"
#include "ironic-client/error.hpp"
#include "ironic-client/node.hpp"
#include "ironic-client/node_patch.hpp"
#include "ironic-client/settings.hpp"
#include "ironic-client/version.hpp"
#include "net/client.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ingot::ironic {

struct ProvisionRequest {
  Verb verb = Verb::manage;
  json::Value configDrive;         // deploy; null: none
  std::vector<Step> cleanSteps;    // clean
  std::vector<Step> deploySteps;   // deploy
  std::vector<Step> serviceSteps;  // service
};

class Client {
 public:
  Client(base::Runtime runtime, net::HttpTransport& transport, Settings settings);
  ~Client();

  // Version negotiation and proof of a living conductor, in this order: Error{unavailable|tooOld|unreadable|noDrivers}.
  // From then on requests carry the chosen version.
  [[nodiscard]] base::Task<Features> probe();
  [[nodiscard]] const Features& features() const { return features_; }

  // By UUID or name; nullopt: 404.
  [[nodiscard]] base::Task<std::optional<Node>> findNode(std::string idOrName);
  // All pages. `fields` empty: everything.
  [[nodiscard]] base::Task<std::vector<Node>> listNodes(std::vector<std::string> fields);
  // `record` as POSTed. Error{conflict}: the name is taken by a node that was there before.
  [[nodiscard]] base::Task<Node> createNode(json::Object record);
  [[nodiscard]] base::Task<Node> updateNode(std::string uuid, NodePatch patch);
  [[nodiscard]] base::Task<void> deleteNode(std::string uuid);  // Error{notFound} when it is gone already

  // Accepted is not done: watch the node.
  [[nodiscard]] base::Task<void> changeState(std::string uuid, ProvisionRequest request);
  // `softTimeout`: how long a soft power off may take.
  [[nodiscard]] base::Task<void> changePower(std::string uuid, PowerTarget target,
                                             std::optional<std::chrono::seconds> softTimeout);
  [[nodiscard]] base::Task<void> setMaintenance(std::string uuid, std::string reason);
  [[nodiscard]] base::Task<void> clearMaintenance(std::string uuid);
  [[nodiscard]] base::Task<Validation> validate(std::string uuid);

  // nullopt before the first successful inspection.
  [[nodiscard]] base::Task<std::optional<Inventory>> inventory(std::string uuid);
  // At most the `count` latest entries, the latest first. Ironic may be told not to keep any ([conductor]node_history).
  [[nodiscard]] base::Task<std::vector<HistoryEvent>> history(std::string uuid, int count);

  [[nodiscard]] base::Task<std::vector<Port>> portsOfNode(std::string nodeUuid);
  [[nodiscard]] base::Task<std::vector<Port>> portsByAddress(std::string mac);
  [[nodiscard]] base::Task<Port> createPort(Port port);

 private:
  struct Answer {
    int status = 0;
    json::Value body;  // null when there was none
  };
  [[nodiscard]] base::Task<Answer> call(std::string method, std::string path, std::optional<json::Value> body,
                                        std::vector<int> accepted, bool probing = false);
  [[nodiscard]] base::Task<net::HttpResponse> exchange(net::HttpRequest request);
  [[nodiscard]] base::Task<std::vector<json::Value>> pages(std::string path, std::string_view items);

  base::Runtime runtime_;
  Settings settings_;
  std::string origin_, prefix_;
  std::unique_ptr<net::HttpClient> http_;       // with credentials
  std::unique_ptr<net::HttpClient> anonymous_;  // for version discovery
  Features features_;
};

}  // namespace ingot::ironic
