// A cluster that Metal3's managers have made (tests/data/takeover) behind an API and an Ironic, and a coordinator in
// shadow beside it; the test plays the managers. What the coordinator sends that is no read is written down.
#pragma once

#include "api/kinds/kinds.hpp"
#include "apiserver/embedded.hpp"
#include "base/file.hpp"
#include "base/log.hpp"
#include "coordinator/admission.hpp"
#include "coordinator/coordinator.hpp"
#include "kube/client/config.hpp"
#include "kube/core/secret.hpp"
#include "tests/support/fake_ironic.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/temporary_folder.hpp"

#include <map>
#include <set>
#include <sstream>

namespace ingot::tests {

// Notes what is no read, and lets it through.
class WritesNoted final : public net::HttpHandler {
 public:
  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    if (request.method != "GET") writes.push_back(request.method + " " + request.target);
    co_await inside->handle(std::move(request), out);
  }
  net::HttpHandler* inside = nullptr;
  std::vector<std::string> writes;
};

class Replay : public Loop {
 public:
  static constexpr const char* kProvider = "cluster-api-provider-metal3-manager";
  static constexpr const char* kAddresses = "ipam";
  static constexpr const char* kOperator = "bmo";

  // `file`: of tests/data/takeover; "": an empty cluster.
  explicit Replay(const std::string& file) {
    apiserver::EmbeddedOptions served{.definitions = api::everyCrd(),
                                      .admission = coordinator::admissionRules,
                                      .converters = coordinator::kindConverters()};
    served.store.commit = apiserver::StoreOptions::Commit::inLine;
    cluster_ = run(apiserver::EmbeddedApi::start(runtime, std::move(served)));
    door.inside = &cluster_->handler();
    ironicDoor.inside = &ironic;
    network.serve("https://cluster.test", door, apiserver::EmbeddedApi::localAdmin());
    network.serve("https://user.test", cluster_->handler(), apiserver::EmbeddedApi::localAdmin());
    network.serve("http://ironic:6385", ironicDoor);
    user_ = kube::connect(runtime, network, {.server = "https://user.test"});
    if (file.empty()) return;
    std::istringstream lines(base::readFile(INGOT_SOURCE_DIR "/tests/data/takeover/" + file));
    for (std::string line; std::getline(lines, line);)
      if (json::Value object = json::parse(inDefault(std::move(line)));
          !notHere.contains(json::textAt(object, {"kind"})))
        arrive(std::move(object));
    for (const auto& [title, object] : objects)
      if (title.starts_with("BareMetalHost/")) knowCredentials(object);
  }
  ~Replay() {
    run(tasks_.close());
    program.reset();
    user_.reset();
    run(network.close());
    run(cluster_->stop(std::chrono::seconds(1)));
  }
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  // With these flags beside --shadow.
  void start(std::vector<std::string> flags = {}) {
    base::writeFileAtomically(folder.path("kubeconfig"), R"(apiVersion: v1
kind: Config
current-context: here
contexts: [{name: here, context: {cluster: here, user: here}}]
clusters: [{name: here, cluster: {server: "https://cluster.test"}}]
users: [{name: here, user: {token: secret}}]
)");
    flags.insert(flags.begin(), {"ingot-coordinator", "--shadow", "--kubeconfig", folder.path("kubeconfig"),
                                 "--metrics-addr", "0", "--health-addr", "0"});
    std::vector<const char*> words;
    words.reserve(flags.size());
    for (const auto& flag : flags) words.push_back(flag.c_str());
    auto parsed = coordinator::parseOptions(static_cast<int>(words.size()), words.data());
    if (!parsed.options) throw std::runtime_error(parsed.leave.text);
    program = std::make_unique<coordinator::Coordinator>(
        base::Runtime{runtime.executor, clock, *random, base::Log(log, "coordinator")}, std::move(*parsed.options),
        coordinator::Surroundings{.transport = network, .environment = environment});
    tasks_.spawn("coordinator", program->run());
    clock.advance(std::chrono::seconds(10));
  }

  // --- what others do ---
  json::Value now(const json::Value& like) {
    return run(user_->api().get(resourceOf(like), keyOf(like))).value_or(nullptr);
  }
  void patch(const std::string& title, const std::string& patch, const std::string& manager,
             const std::string& subresource = "") {
    const json::Value& object = objects.at(title);
    run(user_->api().patch(resourceOf(object), keyOf(object), kube::PatchType::merge, json::parse(patch), subresource,
                           {.fieldManager = manager}));
    clock.settle();
  }
  void create(const std::string& text, const std::string& manager) {
    json::Value object = json::parse(text);
    run(user_->api().create(resourceOf(object), "default", object, {.fieldManager = manager}));
    objects.emplace(titleOf(object), object);
    clock.settle();
  }

  // --- what came of it ---
  [[nodiscard]] const coordinator::shadow::Book& book() const { return program->shadow()->book(); }
  [[nodiscard]] std::uint64_t count(coordinator::shadow::Outcome outcome) const {
    std::uint64_t sum = 0;
    for (const auto& [what, times] : book().counts())
      if (what.second == outcome) sum += times;
    return sum;
  }
  // The embedded API keeps no managed fields, so that nobody is known to have written.
  // "differs Metal3Machine m spec.a by capm3: "1", theirs "2", ours "3"" of each.
  [[nodiscard]] std::set<std::string> told() const {
    std::set<std::string> all;
    for (const auto& difference : book().differences())
      for (const auto& field : difference.fields)
        all.insert(fmt::format("{} {} {} {} by {}: {}, theirs {}, ours {}", nameOf(difference.outcome), difference.kind,
                               difference.object.key.name, field.path, difference.manager, field.was.value_or("none"),
                               field.theirs.value_or("none"), field.ours.value_or("none")));
    return all;
  }
  // "differs Metal3Machine spec.a", whatever it is called.
  [[nodiscard]] std::set<std::string> toldOf() const {
    std::set<std::string> all;
    for (const auto& difference : book().differences())
      for (const auto& field : difference.fields)
        all.insert(fmt::format("{} {} {}", nameOf(difference.outcome), difference.kind, field.path));
    return all;
  }
  [[nodiscard]] bool hasWritten() const { return !door.writes.empty() || !ironicDoor.writes.empty(); }

  static std::string titleOf(const json::Value& object) {
    return json::textAt(object, {"kind"}) + "/" + json::textAt(object, {"metadata", "name"});
  }

  // What the coordinator's log says so, in all.
  [[nodiscard]] std::size_t lines(std::string_view text) const {
    std::size_t count = 0;
    for (const auto& line : log->lines()) count += line.find(text) != std::string::npos ? 1 : 0;
    return count;
  }

  std::shared_ptr<base::MemorySink> log = std::make_shared<base::MemorySink>();
  TemporaryFolder folder;
  net::Loopback network{runtime};
  FakeIronic ironic{runtime};
  WritesNoted door, ironicDoor;
  std::map<std::string, json::Value> objects;  // by "Kind/name"
  std::unique_ptr<coordinator::Coordinator> program;

 private:
  static std::optional<std::string> environment(std::string_view name) {
    if (name == "POD_NAME") return "ingot-shadow-0";
    if (name == "IRONIC_ENDPOINT") return "http://ironic:6385/v1";
    if (name == "DEPLOY_KERNEL_URL") return "http://images/kernel";
    if (name == "DEPLOY_RAMDISK_URL") return "http://images/ramdisk";
    return std::nullopt;
  }
  static kube::Resource resourceOf(const json::Value& object) {
    const auto* row = api::rowOf(object);
    return kube::Resource::of(row != nullptr ? *row->stored : kube::Secret::info);
  }
  static kube::ObjectKey keyOf(const json::Value& object) {
    return {"default", json::textAt(object, {"metadata", "name"})};
  }

  static const inline std::set<std::string> notHere{"MachineDeployment", "MachineSet", "HostFirmwareSettings",
                                                    "FirmwareSchema"};

  // The newer recordings are of another namespace.
  static std::string inDefault(std::string text) {
    constexpr std::string_view there = "stack1795321381";
    for (auto at = text.find(there); at != std::string::npos; at = text.find(there, at))
      text.replace(at, there.size(), "default");
    return text;
  }

  void arrive(json::Value object) {
    auto& metadata = object.at("metadata").as_object();
    const std::string uid = json::textAt(object, {"metadata", "uid"});
    for (const char* servers : {"uid", "resourceVersion", "generation", "creationTimestamp", "managedFields"})
      metadata.erase(servers);
    if (auto* owners = metadata.if_contains("ownerReferences")) followOwners(owners->as_array());
    const std::string kind = json::textAt(object, {"kind"});
    if (kind == "BareMetalHost") giveNode(object);
    const kube::Resource resource = resourceOf(object);
    const auto made = run(user_->api().create(resource, "default", object));
    here_[uid] = json::textAt(made, {"metadata", "uid"});
    if (const auto* status = object.as_object().if_contains("status"))
      run(user_->api().patch(resource, keyOf(object), kube::PatchType::merge, json::Object{{"status", *status}},
                             "status"));
    objects.emplace(titleOf(object), std::move(object));
  }

  // The Secrets are of other versions here than there.
  void knowCredentials(const json::Value& host) {
    const auto secret = objects.find("Secret/" + json::textAt(host, {"spec", "bmc", "credentialsName"}));
    if (secret == objects.end()) return;
    const std::string version = json::textAt(now(secret->second), {"metadata", "resourceVersion"});
    for (const char* which : {"goodCredentials", "triedCredentials"})
      if (json::find(host, {"status", which, "credentialsVersion"}) != nullptr)
        patch(titleOf(host), fmt::format(R"({{"status":{{"{}":{{"credentialsVersion":"{}"}}}}}})", which, version),
              kOperator, "status");
  }

  void followOwners(json::Array& owners) {
    json::Array known;
    for (auto& owner : owners)
      if (const auto found = here_.find(json::textAt(owner, {"uid"})); found != here_.end()) {
        owner.as_object()["uid"] = found->second;
        known.push_back(owner);
      }
    owners = std::move(known);
  }

  // The host's node as Ironic has it, with the power that the status tells, and cards of its own.
  void giveNode(json::Value& host) {
    const std::string mac = json::textAt(host, {"spec", "bootMACAddress"});
    if (json::find(host, {"status", "hardware", "nics"}) != nullptr) {
      std::string next = mac;
      for (json::Value& card : host.at("status").at("hardware").at("nics").as_array()) {
        card.as_object()["mac"] = next;
        next.front() = '1';
      }
    }
    auto& provisioning = host.at("status").at("provisioning").as_object();
    const bool isDetached = json::textAt(host, {"status", "operationalStatus"}) == "detached";
    if (json::textAt(host, {"status", "provisioning", "ID"}).empty() || isDetached) return;
    const bool isAvailable = json::textAt(host, {"status", "provisioning", "state"}) == "available";
    const std::string node =
        ironic.add({{"name", "default~" + json::textAt(host, {"metadata", "name"})}, {"driver", "redfish"}});
    ironic.put(node, isAvailable ? ironic::State::available : ironic::State::active);
    const bool on = json::boolAt(host, {"status", "poweredOn"}).value_or(false);
    ironic.setMachine(node, on);
    ironic.record(node)["power_state"] = on ? "power on" : "power off";
    provisioning["ID"] = node;
    ironic.addPort(node, mac);
  }

  std::unique_ptr<apiserver::EmbeddedApi> cluster_;
  std::unique_ptr<kube::Client> user_;
  std::map<std::string, std::string> here_;  // uid there → uid here
  base::TaskGroup tasks_{runtime.executor, runtime.log};
};

}  // namespace ingot::tests
