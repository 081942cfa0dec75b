// The in-memory server of the cases that hold on every server.
#include "tests/kube/cluster.hpp"
#include "tests/kube/servers/server.hpp"

namespace ingot::tests {
namespace {

class MemoryServer final : public Server {
 public:
  base::Runtime runtime() override { return cluster_.runtime; }
  net::HttpTransport& transport() override { return cluster_.network; }
  kube::ClusterConfig cluster() override { return {.server = "https://fake:6443"}; }
  std::string space() override { return "ns"; }
  void forgetHistory() override { cluster_.api.store.compact(); }
  void run(base::Task<void> task) override { cluster_.run(std::move(task)); }
  bool until(const std::function<bool()>& done) override { return cluster_.until(done); }

 private:
  Cluster cluster_;
};

}  // namespace

std::unique_ptr<Server> openServer() { return std::make_unique<MemoryServer>(); }

}  // namespace ingot::tests
