// The REST surface of the Ironic double over its store of nodes.
#pragma once

#include "tests/support/ironic/node.hpp"

#include <map>
#include <memory>
#include <string>

namespace ingot::tests::fake {

class Store {
 public:
  Store(base::Runtime runtime, const FakeIronicOptions& options) : runtime_(runtime), options_(options) {}

  std::function<std::shared_ptr<FakeMachine>(const json::Object&)> machineFor;
  std::vector<json::Object> ports;

  // Both do what is due on the node first.
  [[nodiscard]] Node* find(std::string_view idOrName);
  [[nodiscard]] Node& at(const std::string& idOrName);  // throws std::out_of_range
  [[nodiscard]] std::vector<Node*> all();               // by UUID

  Node& create(json::Object record);
  void erase(const std::string& uuid);
  void clear();
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] std::string newUuid() { return runtime_.random.uuid(); }

 private:
  base::Runtime runtime_;
  const FakeIronicOptions& options_;
  std::map<std::string, std::unique_ptr<Node>, std::less<>> nodes_;
};

[[nodiscard]] net::HttpResponse answer(Store& store, const FakeIronicOptions& options,
                                       const net::ServerRequest& request);
[[nodiscard]] net::HttpResponse refusal(const Refusal& why);
[[nodiscard]] json::Value parsedBody(const std::string& body);  // null when there is none

}  // namespace ingot::tests::fake
