#include "tests/support/fake_ironic.hpp"

#include "json/codec.hpp"
#include "tests/support/ironic/api.hpp"

#include <fmt/format.h>

namespace ingot::tests {

namespace {

constexpr std::string_view nodesPath = "/v1/nodes/";

// "/v1/nodes/x/states/power" → "x", when it ends so.
std::string nodeIn(std::string_view path, std::string_view ending) {
  if (!path.starts_with(nodesPath) || !path.ends_with(ending)) return "";
  return std::string(path.substr(nodesPath.size(), path.size() - nodesPath.size() - ending.size()));
}

// Counted while it lives, however its request ends.
class Handling {
 public:
  Handling(std::map<std::string, int>& all, std::string node) : all_(all), node_(std::move(node)) {
    if (!node_.empty()) ++all_[node_];
  }
  ~Handling() {
    if (!node_.empty() && --all_[node_] == 0) all_.erase(node_);
  }
  Handling(const Handling&) = delete;
  Handling& operator=(const Handling&) = delete;

 private:
  std::map<std::string, int>& all_;
  std::string node_;
};

}  // namespace

struct FakeIronic::Impl {
  fake::Store store;
};

FakeIronic::FakeIronic(base::Runtime runtime, FakeIronicOptions options)
    : runtime_(runtime), options_(std::move(options)), impl_(std::make_unique<Impl>(fake::Store(runtime, options_))) {
  impl_->store.machineFor = [this](const json::Object& driverInfo) -> std::shared_ptr<FakeMachine> {
    return machineFor ? machineFor(driverInfo) : nullptr;
  };
}

FakeIronic::~FakeIronic() = default;

std::optional<FakeFault> FakeIronic::faultFor(const std::string& method, std::string_view path) {
  for (Rule& rule : rules_) {
    if (rule.times <= 0 || rule.method != method || path.find(rule.pathPart) == std::string_view::npos) continue;
    --rule.times;
    return rule.fault;
  }
  return std::nullopt;
}

net::HttpResponse FakeIronic::answer(const net::ServerRequest& request) {
  return fake::answer(impl_->store, options_, request);
}

// The UUID of the node whose machine the request is about to set Ironic to work on; "" when it is about none.
std::string FakeIronic::machineWork(const net::ServerRequest& request) {
  if (request.method != "PUT") return "";
  if (const std::string id = nodeIn(request.path(), "/states/provision"); has(id)) return id;
  const std::string id = nodeIn(request.path(), "/states/power");
  if (!has(id)) return "";
  const std::string target = json::textAt(fake::parsedBody(request.body), {"target"});
  const bool follows = target == (machineOn(id) ? "power on" : "power off");
  return follows || impl_->store.at(id).undone() ? "" : id;
}

base::Task<void> FakeIronic::handle(net::ServerRequest request, net::Responder& out) {
  ++requestCount_;
  const std::string path(request.path());
  const bool changes = request.method != "GET";
  const std::size_t at = journal_.size();
  if (changes) journal_.push_back({runtime_.clock.now(), request.method, path, fake::parsedBody(request.body), 0});

  const Handling handling(handling_,
                          nodeIn(path, path.ends_with("/states/power") ? "/states/power" : "/states/provision"));
  const auto fault = faultFor(request.method, path);
  if (fault && fault->kind == FakeFault::Kind::refused) co_return out.abort();
  if (fault && fault->kind == FakeFault::Kind::hang) co_await runtime_.clock.sleepFor(fault->delay);

  const std::string worksOn = machineWork(request);
  net::HttpResponse response =
      fault && fault->kind == FakeFault::Kind::status ? fake::refusal({fault->status, fault->text}) : answer(request);
  if (!worksOn.empty() && response.status == 202 && onWorkBegun)
    onWorkBegun(worksOn, json::textAt(fake::parsedBody(request.body), {"target"}));
  if (fault && fault->kind == FakeFault::Kind::lostAnswer) co_return out.abort();
  if (changes && at < journal_.size()) journal_[at].status = response.status;
  co_await out.send(std::move(response));
}

void FakeIronic::failNext(std::string method, std::string pathPart, FakeFault fault, int times) {
  rules_.push_back({std::move(method), std::move(pathPart), std::move(fault), times});
}

void FakeIronic::breakNext(const std::string& node, ironic::Verb verb, std::string lastError) {
  impl_->store.at(node).broken[verb] = std::move(lastError);
}
void FakeIronic::breakPower(const std::string& node, std::string error) {
  impl_->store.at(node).powerBroken = std::move(error);
}
void FakeIronic::loseBmc(const std::string& node, std::string why) { impl_->store.at(node).bmcLost = std::move(why); }
void FakeIronic::stallRamdisk(const std::string& node, bool stalled) { impl_->store.at(node).stalled = stalled; }
void FakeIronic::lock(const std::string& node, bool locked) { impl_->store.at(node).setLockedByOther(locked); }
void FakeIronic::loseDatabase() { impl_->store.clear(); }

bool FakeIronic::has(const std::string& node) { return impl_->store.find(node) != nullptr; }
ironic::State FakeIronic::state(const std::string& node) { return impl_->store.at(node).state(); }
json::Object& FakeIronic::record(const std::string& node) { return impl_->store.at(node).record; }
void FakeIronic::put(const std::string& node, ironic::State state, std::string lastError) {
  impl_->store.at(node).enter(state, std::move(lastError));
}
std::string FakeIronic::add(json::Object record) { return impl_->store.create(std::move(record)).text("uuid"); }
void FakeIronic::setInventory(const std::string& node, json::Object inventory, json::Object pluginData) {
  impl_->store.at(node).inventory =
      json::Object{{"inventory", std::move(inventory)}, {"plugin_data", std::move(pluginData)}};
}
std::vector<json::Object> FakeIronic::ports() { return impl_->store.ports; }
void FakeIronic::addPort(const std::string& node, const std::string& address) {
  impl_->store.ports.push_back({{"uuid", impl_->store.newUuid()},
                                {"node_uuid", impl_->store.at(node).text("uuid")},
                                {"address", address},
                                {"pxe_enabled", true}});
}
void FakeIronic::removePorts(const std::string& node) {
  const std::string uuid = impl_->store.at(node).text("uuid");
  std::erase_if(impl_->store.ports, [&](const auto& port) { return json::textAt(port, {"node_uuid"}) == uuid; });
}
std::size_t FakeIronic::nodeCount() const { return impl_->store.size(); }

std::string FakeIronic::workOn(const std::string& node) {
  const fake::Node& it = impl_->store.at(node);
  if (handling_.contains(it.text("uuid"))) return "a request for it is being handled";
  return it.work();
}

bool FakeIronic::machineOn(const std::string& node) { return impl_->store.at(node).machine->poweredOn(); }
void FakeIronic::setMachine(const std::string& node, bool on) { impl_->store.at(node).machine->setPower(on); }

std::vector<std::string> FakeIronic::verbs() const {
  std::vector<std::string> out;
  for (const Request& request : journal_)
    if (request.method == "PUT" && request.path.ends_with("/states/provision") && request.status == 202)
      out.push_back(json::textAt(request.body, {"target"}));
  return out;
}

}  // namespace ingot::tests
