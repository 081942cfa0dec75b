// What a client may rely on, said once and checked on the double and on a real Ironic.
#include "tests/integration/ironic_client/server.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using ironic::Client;
using ironic::Error;
using ironic::Node;
using ironic::State;
using ironic::Verb;

namespace {

json::Object fakeHardware(const std::string& name) {
  return {{"name", name},
          {"driver", "fake-hardware"},
          {"boot_interface", "fake"},
          {"deploy_interface", "fake"},
          {"inspect_interface", "fake"},
          {"management_interface", "fake"},
          {"power_interface", "fake"},
          {"raid_interface", "fake"}};
}

struct Peer {
  explicit Peer(IronicServer& server)
      : clock(server.runtime().clock), client(server.runtime(), server.transport(), server.settings()) {}

  base::Clock& clock;
  Client client;

  base::Task<Node> reach(std::string uuid, State wanted) {
    for (int i = 0; i < 1800; ++i) {
      const auto node = co_await client.findNode(uuid);
      if (!node) throw std::runtime_error("the node vanished");
      if (node->state() == wanted && node->reservation.empty()) co_return *node;
      co_await clock.sleepFor(std::chrono::milliseconds(100));
    }
    throw std::runtime_error("not reached: " + std::string(json::textOf(wanted)));
  }

  base::Task<Node> move(std::string uuid, Verb verb, State wanted) {
    co_await client.changeState(uuid, {.verb = verb});
    co_return co_await reach(uuid, wanted);
  }

  template <class T>
  base::Task<std::optional<Error::Code>> refusal(base::Task<T> call) {
    try {
      static_cast<void>(co_await std::move(call));
    } catch (const Error& error) {
      co_return error.code();
    }
    co_return std::nullopt;
  }
  base::Task<std::optional<Error::Code>> refusal(base::Task<void> call) {
    try {
      co_await std::move(call);
    } catch (const Error& error) {
      co_return error.code();
    }
    co_return std::nullopt;
  }
};

base::Task<void> wholeLife(Peer& peer) {
  Client& client = peer.client;
  const auto features = co_await client.probe();
  CHECK(features.maxMinor >= 110);

  Node node = co_await client.createNode(fakeHardware("ns~life"));
  CHECK(node.state() == State::enroll);
  CHECK_FALSE(node.automatedClean);
  const std::string uuid = node.uuid;

  node = co_await peer.move(uuid, Verb::manage, State::manageable);
  CHECK_FALSE(node.hasTarget());
  CHECK(node.lastError.empty());
  CHECK_FALSE(co_await client.inventory(uuid));
  co_await peer.move(uuid, Verb::inspect, State::manageable);

  co_await client.changePower(uuid, ironic::PowerTarget::on, std::nullopt);
  for (int i = 0; i < 900 && !node.poweredOn().value_or(false); ++i) {
    co_await peer.clock.sleepFor(std::chrono::milliseconds(200));
    node = *co_await client.findNode(uuid);
  }
  CHECK(node.poweredOn() == std::optional(true));

  co_await peer.move(uuid, Verb::provide, State::available);
  ironic::NodePatch patch(*co_await client.findNode(uuid));
  patch.setText("", "instance_uuid", "11111111-2222-4333-8444-555555555555")
      .setText("instance_info", "image_source", "http://127.0.0.1:1/a.img")
      .setText("instance_info", "image_checksum", "abcd");
  node = co_await client.updateNode(uuid, patch);
  CHECK(node.instanceUuid == "11111111-2222-4333-8444-555555555555");
  CHECK((co_await client.validate(uuid)).deploy.result == true);

  node = co_await peer.move(uuid, Verb::deploy, State::active);
  CHECK_FALSE(node.hasTarget());
  node = co_await peer.move(uuid, Verb::undeploy, State::available);
  CHECK(node.instanceUuid.empty());
  CHECK(node.instanceInfo.empty());
  co_await client.deleteNode(uuid);
  CHECK_FALSE(co_await client.findNode(uuid));
  CHECK(co_await peer.refusal(client.deleteNode(uuid)) == Error::Code::notFound);
}

base::Task<void> refusals(Peer& peer) {
  Client& client = peer.client;
  static_cast<void>(co_await client.probe());
  const Node node = co_await client.createNode(fakeHardware("ns~refusals"));
  const std::string uuid = node.uuid;
  CHECK(co_await peer.refusal(client.createNode(fakeHardware("ns~refusals"))) == Error::Code::conflict);
  CHECK(co_await peer.refusal(client.changeState(uuid, {.verb = Verb::provide})) == Error::Code::badRequest);
  CHECK(co_await peer.refusal(client.changeState(uuid, {.verb = Verb::abort})) == Error::Code::badRequest);

  const ironic::Port port = co_await client.createPort({.nodeUuid = uuid, .address = "02:00:00:00:0a:01"});
  CHECK(port.nodeUuid == uuid);
  CHECK((co_await client.portsByAddress("02:00:00:00:0a:01")).size() == 1);
  CHECK((co_await client.portsOfNode(uuid)).size() == 1);
  CHECK(co_await peer.refusal(client.createPort({.nodeUuid = uuid, .address = "02:00:00:00:0A:01"})) ==
        Error::Code::conflict);

  co_await peer.move(uuid, Verb::manage, State::manageable);
  ironic::NodePatch own(node), other(node);
  own.setText("", "instance_uuid", "21111111-2222-4333-8444-555555555555");
  other.setText("", "instance_uuid", "31111111-2222-4333-8444-555555555555");
  static_cast<void>(co_await client.updateNode(uuid, own));
  CHECK(co_await peer.refusal(client.updateNode(uuid, other)) == Error::Code::conflict);
  CHECK(co_await peer.refusal(client.deleteNode(uuid)) == Error::Code::conflict);
  ironic::NodePatch none(node);
  none.set("", "instance_uuid", nullptr);
  CHECK((co_await client.updateNode(uuid, none)).instanceUuid.empty());

  co_await client.setMaintenance(uuid, "by hand");
  CHECK((co_await client.findNode(uuid))->maintenanceReason == "by hand");
  co_await client.clearMaintenance(uuid);
  CHECK_FALSE((co_await client.findNode(uuid))->maintenance);
  co_await client.deleteNode(uuid);
}

base::Task<void> activeNode(Peer& peer) {
  Client& client = peer.client;
  static_cast<void>(co_await client.probe());
  Node node = co_await client.createNode(fakeHardware("ns~adopted"));
  co_await peer.move(node.uuid, Verb::manage, State::manageable);
  ironic::NodePatch image(node);
  image.setText("instance_info", "image_source", "http://127.0.0.1:1/a.img")
      .setText("instance_info", "image_checksum", "abcd");
  static_cast<void>(co_await client.updateNode(node.uuid, image));
  node = co_await peer.move(node.uuid, Verb::adopt, State::active);

  ironic::NodePatch interface(node);
  interface.setText("", "deploy_interface", "direct");
  CHECK(co_await peer.refusal(client.updateNode(node.uuid, interface)) == Error::Code::conflict);
  CHECK(co_await peer.refusal(client.deleteNode(node.uuid)) == Error::Code::conflict);
  co_await client.setMaintenance(node.uuid, "forcing deletion in baremetal-operator");
  co_await client.deleteNode(node.uuid);
  CHECK_FALSE(co_await client.findNode(node.uuid));
}

base::Task<void> sweptNodes(Peer& peer) {
  Client& client = peer.client;
  static_cast<void>(co_await client.probe());
  std::set<std::string> made;
  for (int i = 0; i < 5; ++i)
    made.insert((co_await client.createNode(fakeHardware(fmt::format("ns~swept{}", i)))).uuid);
  std::size_t seen = 0;
  for (const Node& node :
       co_await client.listNodes({"uuid", "name", "provision_state", "provision_updated_at", "reservation"}))
    seen += made.contains(node.uuid) && node.state() == State::enroll ? 1 : 0;
  CHECK(seen == 5);
  for (const std::string& uuid : made) co_await client.deleteNode(uuid);
}

void check(base::Task<void> (*body)(Peer&)) {
  onBoth([&](IronicServer& server, const char* name) {
    INFO("on the " << name);
    Peer peer(server);
    server.run(body(peer));
  });
}

}  // namespace

TEST_CASE("a node's whole life") { check(wholeLife); }
TEST_CASE("what is refused, and how") { check(refusals); }
TEST_CASE("an active node keeps its interfaces and is deleted only in maintenance") { check(activeNode); }
TEST_CASE("a list shows the fields asked for") { check(sweptNodes); }
