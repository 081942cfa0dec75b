// The machines behind the BareMetalHosts of a cluster, where no simulated server is: a host that is provisioned and
// powered on is taken for one that has booted from its disk.
#pragma once

#include "sim/kubelet/installed_machine.hpp"
#include "sim/nodes/host.hpp"

#include <map>

namespace ingot::sim::nodes {

struct HostsOptions {
  std::string ns;          // "" for all
  std::string cluster;     // only hosts of that Cluster; "" for all
  std::string dataFolder;  // what the disks keep; "" for nothing
  std::size_t pageSize = 500;
  std::function<void()> onReady = [] {};  // once all hosts were seen
  kubelet::KubeletOptions kubelet;
};

class Hosts {
 public:
  // `transport` and `tasks` are lent; tasks are closed before this dies.
  Hosts(base::Runtime runtime, net::HttpTransport& transport, base::TaskGroup& tasks, const kubelet::Access& access,
        HostsOptions options);
  ~Hosts();

  // Watches until it is cancelled; a lost connection is made anew.
  [[nodiscard]] base::Task<void> run();

 private:
  struct Member;
  // What was written when the machine was provisioned; later changes of the Secrets do not reach it.
  using WrittenDrive = std::shared_ptr<std::optional<firstboot::ConfigDrive>>;
  enum class MissingKey { refuse, empty };
  [[nodiscard]] base::Task<void> follow();
  [[nodiscard]] base::Task<std::string> list();  // the resourceVersion to watch from
  [[nodiscard]] base::Task<void> watch(std::string resourceVersion);
  void take(std::string_view event);
  void see(const Host& host);
  [[nodiscard]] base::Task<firstboot::ConfigDrive> readDrive(Host host, WrittenDrive written);
  [[nodiscard]] base::Task<std::string> secret(std::string ns, std::string name, std::string key, MissingKey missing);
  [[nodiscard]] std::string pathWith(std::string query) const;  // of the hosts that are meant

  base::Runtime runtime_;
  kubelet::Surroundings around_;
  HostsOptions options_;
  kubelet::Api api_;
  kubelet::Attempts attempts_;
  std::map<std::string, std::unique_ptr<Member>> members_;  // by namespace/name
};

}  // namespace ingot::sim::nodes
