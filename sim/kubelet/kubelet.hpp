// One boot of a machine that is a Node: registers it and says that it is well, until the power goes.
#pragma once

#include "sim/kubelet/attempts.hpp"
#include "sim/kubelet/identity.hpp"
#include "sim/kubelet/objects.hpp"
#include "sim/kubelet/wire.hpp"

#include <functional>

namespace ingot::sim::kubelet {

// What stays on the machine's disk between boots.
struct InstalledNode {
  std::optional<Identity> identity;  // a worker's; a control plane signs one at each boot
  bool initialized = false;          // `kubeadm init` has run
  std::function<void()> onChange;
};

struct KubeletOptions {
  base::Duration beat = std::chrono::seconds(2);          // of the Lease
  base::Duration statusPause = std::chrono::seconds(10);  // of Ready
};

class Kubelet {
 public:
  // `transport` and `disk` are lent and outlive run(). While `hangs` holds, nothing is sent.
  Kubelet(base::Runtime runtime, net::HttpTransport& transport, firstboot::Membership member, MachineFacts facts,
          InstalledNode& disk, std::function<bool()> hangs, KubeletOptions options = {});

  // Never ends but by cancellation. A failure is logged and tried again; nothing is ever deleted, and a Node that is
  // deleted meanwhile is registered by the next boot only.
  [[nodiscard]] base::Task<void> run();

 private:
  [[nodiscard]] base::Task<void> enter();
  [[nodiscard]] base::Task<void> initCluster();
  [[nodiscard]] base::Task<std::string> findVersion();
  [[nodiscard]] base::Task<json::Value> registerNode();
  [[nodiscard]] base::Task<void> markControlPlane(json::Value node);
  [[nodiscard]] base::Task<void> runStaticPods(json::Value node);
  [[nodiscard]] base::Task<void> keepStaticPods(json::Value node);
  // False: the API does not serve this kind.
  [[nodiscard]] base::Task<bool> createIfServed(Api& api, json::Value object);
  [[nodiscard]] base::Task<void> sayWell(json::Value node);
  [[nodiscard]] base::Task<void> renewLease();
  [[nodiscard]] base::Task<void> beat();
  [[nodiscard]] std::string nodePath() const;

  base::Runtime runtime_;
  firstboot::Membership member_;
  MachineFacts facts_;
  InstalledNode& disk_;
  std::function<bool()> hangs_;
  Wire wire_;
  KubeletOptions options_;
  std::optional<Api> api_, admin_;  // admin: of a control plane
  Attempts attempts_;
  bool runsPods_ = false;  // a control plane, where Pods are served
  std::string version_;
  base::MonoTime nextStatus_{};
};

}  // namespace ingot::sim::kubelet
