// Every change that a coordinator asks of the outside passes here: is named, counted, and goes wrong when its time has
// come. Of the reads that concern one host, the first of each kind in each state does: how often they are repeated
// depends on the pace alone.
#pragma once

#include "base/runtime.hpp"
#include "net/client.hpp"
#include "tests/matrix/fault.hpp"
#include "wire/link.hpp"

#include <functional>
#include <map>
#include <memory>

namespace ingot::tests::matrix {

// An effect as it is about to happen.
struct Effect {
  std::string host;  // "" when it is about none, or about several
  std::string what;  // "PATCH baremetalhosts/status", "PUT provision active", "POST events Registered", "command On" …
};

class Tape {
 public:
  explicit Tape(base::Runtime runtime) : runtime_(runtime) {}

  std::function<std::string(const std::string& host)> stateOf;
  std::function<std::string(const std::string& uuid)> hostOfNode;
  std::function<std::string(const std::string& uid)> hostOfUid;
  std::function<bool()> sweepsFail;
  std::function<void()> die;                                         // the coordinator, here and now
  std::function<void(const std::string& host, Fault fault)> strike;  // faults of the surroundings

  void arm(const std::string& host, Case fault) { armed_[host] = {std::move(fault), false}; }
  [[nodiscard]] bool struck(const std::string& host) const { return armed_.at(host).struck; }
  [[nodiscard]] const std::vector<Point>& points(const std::string& host) { return seen_[host]; }

  // nullopt: nothing goes wrong here (a fault of the surroundings has been started).
  [[nodiscard]] std::optional<Fault> pass(const Effect& effect);
  [[nodiscard]] Effect effectOf(bool toIronic, const net::HttpRequest& request) const;
  [[nodiscard]] std::optional<Effect> effectOf(const std::string& message) const;
  [[nodiscard]] base::Clock& clock() { return runtime_.clock; }

 private:
  struct Armed {
    Case fault;
    bool struck = false;
  };

  base::Runtime runtime_;
  std::map<std::string, std::vector<Point>> seen_;
  std::map<std::string, Armed> armed_;
};

class TapedTransport final : public net::HttpTransport {
 public:
  TapedTransport(net::HttpTransport& inner, Tape& tape, std::string ironicOrigin)
      : inner_(inner), tape_(tape), ironicOrigin_(std::move(ironicOrigin)) {}
  std::unique_ptr<net::HttpClient> connect(net::ClientOptions options) override;

 private:
  net::HttpTransport& inner_;
  Tape& tape_;
  std::string ironicOrigin_;
};

class TapedLink final : public wire::CoordinatorLink {
 public:
  TapedLink(std::unique_ptr<wire::CoordinatorLink> inner, Tape& tape) : inner_(std::move(inner)), tape_(tape) {}
  base::Task<wire::Incoming> receive() override { return inner_->receive(); }
  bool send(const std::string& peer, std::string bytes) override;
  std::string endpoint() const override { return inner_->endpoint(); }
  void admit(std::function<bool(const std::string& publicKey)> judge) override { inner_->admit(std::move(judge)); }

 private:
  std::unique_ptr<wire::CoordinatorLink> inner_;
  Tape& tape_;
};

}  // namespace ingot::tests::matrix
