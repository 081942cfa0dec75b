// A whole coordinator with its embedded API on disk, beside a simulated Ironic, in one process under virtual time.
// The coordinator can be stopped and started again; what it stored and what Ironic did stay.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "coordinator/coordinator.hpp"
#include "tests/support/fake_ironic.hpp"
#include "tests/support/loop.hpp"

#include <filesystem>
#include <map>

namespace ingot::tests {

inline constexpr auto redfish = "redfish://10.0.0.1/redfish/v1/Systems/1";  // a BMC

class Site {
 public:
  // The kinds that the API serves: all that have a controller, with Cluster API's own or without.
  enum class ClusterApi { served, absent };
  using Environment = std::map<std::string, std::string, std::less<>>;
  // `flags`, `environment`: further ones of the program. Its API has no socket unless the flags name an address.
  explicit Site(std::vector<std::string> flags = {}, ClusterApi clusterApi = ClusterApi::served,
                Environment environment = {});
  ~Site();
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;

  void start();
  void stop();
  void restart() { stop(), start(); }
  // With these flags instead of the first ones.
  void restart(std::vector<std::string> flags) { stop(), flags_ = std::move(flags), start(); }

  void ironicDown();
  void ironicUp();

  // A host with this BMC address, its Secret beside it, as a user writes them.
  void createHost(const std::string& name, const std::string& address, const std::string& imageUrl = "");
  void patchHost(const std::string& name, const std::string& mergePatch);
  void removeHost(const std::string& name);

  [[nodiscard]] std::optional<api::BareMetalHost> host(const std::string& name);
  [[nodiscard]] std::string state(const std::string& name);  // "gone" when there is none
  // Moves time in small steps; false when an hour was not enough.
  [[nodiscard]] bool reaches(const std::string& name, const std::string& state,
                             base::Duration limit = std::chrono::hours(1));
  [[nodiscard]] int verbCount(const std::string& verb) const;

  // What else a user does and sees.
  template <class T>
  T run(base::Task<T> task) {
    return loop.run(std::move(task));
  }
  kube::Client& client() { return *coordinator_->client(); }
  [[nodiscard]] std::string metrics() const { return coordinator_->metrics().expose(); }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }  // --data-dir

  Loop loop;
  net::Loopback outside{loop.runtime};
  FakeIronic ironic{loop.runtime};

 private:
  std::filesystem::path folder_;
  std::vector<std::string> flags_;
  ClusterApi clusterApi_;
  Environment environment_;
  std::unique_ptr<coordinator::Coordinator> coordinator_;
  std::unique_ptr<base::TaskGroup> tasks_;
};

}  // namespace ingot::tests
