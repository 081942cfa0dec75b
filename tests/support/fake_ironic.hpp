// Ironic in memory: its REST API, its state machine, its refusals, on virtual time. What it does was measured on the
// real one (spec/ironic.md §3, spec/ramdisk.md); when a real Ironic disagrees with it, this double is wrong.
//
//   FakeIronic ironic(loop.runtime);
//   loopback.serve("http://ironic:6385", ironic);
//
// Nothing runs by itself: work that is due is done when somebody asks (a request or a look), so any clock will do.
#pragma once

#include "base/runtime.hpp"
#include "ironic-client/state.hpp"
#include "json/value.hpp"
#include "net/server.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ingot::tests {

// The server that a node manages, so that simulations can share it with whoever else talks to its BMC.
class FakeMachine {
 public:
  virtual ~FakeMachine() = default;
  [[nodiscard]] virtual bool poweredOn() const = 0;
  virtual void setPower(bool on) = 0;
  virtual void ejectMedia() {}  // of its virtual drives
  // Why its BMC cannot be reached, or does not switch; "" while it is well. Verification and power changes fail with
  // it.
  [[nodiscard]] virtual std::string unreachable() const { return ""; }
  [[nodiscard]] virtual std::string disobedience() const { return unreachable(); }
};

struct FakeIronicOptions {
  int maxMinor = 115;
  std::string username, password;  // empty: no authentication
  bool noDrivers = false;
  std::size_t pageSize = 1000;
  bool forcePowerDuringSync = true;
  base::Duration powerSyncInterval = std::chrono::seconds(120);
  base::Duration shortWork = std::chrono::seconds(1);    // a phase in which a conductor holds the node
  base::Duration ramdiskWork = std::chrono::seconds(6);  // a phase in which Ironic waits for the ramdisk
  base::Duration powerWork = std::chrono::seconds(3);
  base::Duration powerRecoveryInterval = std::chrono::seconds(300);
};

struct FakeFault {
  enum class Kind {
    status,      // answers `status` with `text` as faultstring; nothing is done
    refused,     // the connection breaks before anything is done
    lostAnswer,  // it is done, then the connection breaks
    hang,        // no answer for `delay`; then it is done
  };
  Kind kind = Kind::status;
  int status = 500;
  std::string text = "injected";
  base::Duration delay = std::chrono::minutes(10);
};

class FakeIronic final : public net::HttpHandler {
 public:
  struct Request {
    base::MonoTime at;
    std::string method, path;  // without query
    json::Value body;
    int status = 0;  // 0: no answer was given
  };

  explicit FakeIronic(base::Runtime runtime, FakeIronicOptions options = {});
  ~FakeIronic() override;

  [[nodiscard]] base::Task<void> handle(net::ServerRequest request, net::Responder& out) override;

  // --- what shall go wrong -----------------------------------------------------------------------------------------
  // The next `times` requests of this method whose path contains `pathPart`.
  void failNext(std::string method, std::string pathPart, FakeFault fault, int times = 1);
  // The work that the next such verb starts on this node ends in failure with this last_error.
  void breakNext(const std::string& node, ironic::Verb verb, std::string lastError);
  // Power changes of this node fail from now on; "" heals it.
  void breakPower(const std::string& node, std::string error);
  // The BMC of this node does not answer any more, for this reason; "" brings it back.
  void loseBmc(const std::string& node, std::string why);
  // The ramdisk of this node never answers: wait states last.
  void stallRamdisk(const std::string& node, bool stalled = true);
  // Somebody else's task holds the node.
  void lock(const std::string& node, bool locked = true);
  // Everything is forgotten; machines keep running.
  void loseDatabase();
  void setOptions(FakeIronicOptions options) { options_ = std::move(options); }
  [[nodiscard]] const FakeIronicOptions& options() const { return options_; }

  // --- looking, and arranging (by UUID or name) --------------------------------------------------------------------
  [[nodiscard]] bool has(const std::string& node);
  [[nodiscard]] ironic::State state(const std::string& node);
  // The record as Ironic stores it, secrets unmasked; may be altered.
  json::Object& record(const std::string& node);
  // Puts a node into a state as if work had led there. target_provision_state follows Ironic's rules for that state.
  void put(const std::string& node, ironic::State state, std::string lastError = "");
  // Creates a node directly; returns its UUID.
  std::string add(json::Object record);
  void setInventory(const std::string& node, json::Object inventory, json::Object pluginData = {});
  [[nodiscard]] std::vector<json::Object> ports();
  void addPort(const std::string& node, const std::string& address);
  void removePorts(const std::string& node);  // all of this node
  [[nodiscard]] std::size_t nodeCount() const;

  [[nodiscard]] bool machineOn(const std::string& node);
  void setMachine(const std::string& node, bool on);
  // What Ironic is doing to the node's machine, or is about to: a request for it is being handled, work is under way.
  // "": nothing.
  [[nodiscard]] std::string workOn(const std::string& node);
  // Called when a request was accepted that makes Ironic act on the node's machine. A request that only makes the
  // record follow a power which the machine has already, or had until Ironic's own sync undid it, does not count
  // (docs/decisions/0009).
  std::function<void(const std::string& node, const std::string& what)> onWorkBegun;
  // Which machine a new node manages; default: one of its own, switched off.
  std::function<std::shared_ptr<FakeMachine>(const json::Object& driverInfo)> machineFor;

  // Mutating requests in order, also those that were refused.
  [[nodiscard]] const std::vector<Request>& journal() const { return journal_; }
  [[nodiscard]] std::vector<std::string> verbs() const;  // accepted provision targets: "manage", "inspect" …
  void clearJournal() { journal_.clear(); }
  [[nodiscard]] std::size_t requestCount() const { return requestCount_; }

 private:
  struct Impl;
  struct Rule {
    std::string method, pathPart;
    FakeFault fault;
    int times;
  };
  [[nodiscard]] std::optional<FakeFault> faultFor(const std::string& method, std::string_view path);
  [[nodiscard]] net::HttpResponse answer(const net::ServerRequest& request);
  [[nodiscard]] std::string machineWork(const net::ServerRequest& request);

  base::Runtime runtime_;
  FakeIronicOptions options_;
  std::unique_ptr<Impl> impl_;
  std::vector<Rule> rules_;
  std::vector<Request> journal_;
  std::map<std::string, int> handling_;  // requests for work on a machine, by UUID
  std::size_t requestCount_ = 0;
};

}  // namespace ingot::tests
