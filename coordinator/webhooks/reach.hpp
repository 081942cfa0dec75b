// A kube-apiserver refuses every write whose webhook it does not reach, and a pod becomes an endpoint of their Service
// some seconds after it serves: who has just started, and may be the only one, waits for that before it begins to
// write.
#pragma once

#include "base/runtime.hpp"
#include "base/sync.hpp"
#include "coordinator/parts.hpp"
#include "kube/client/api.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ingot::coordinator::webhooks {

struct ReachOptions {
  Parts parts;                          // whose objects will be written
  std::vector<std::string> namespaces;  // that are looked at; empty: all
  base::Duration again = std::chrono::milliseconds(500);
  base::Duration oneTry = std::chrono::seconds(5);
  // Who has served for so long is an endpoint, if it ever will be. From then on, or so long after the wait began where
  // nothing can be served, writes are tried all the same.
  base::Duration atMost = std::chrono::seconds(20);
};

class Reach {
 public:
  // `servesSince`: since when this process answers webhooks itself; nullopt: it does not (yet).
  using ServesSince = std::function<std::optional<base::MonoTime>()>;
  Reach(base::Runtime runtime, ServesSince servesSince, ReachOptions options);

  // Until webhooks are reached, whichever replica answers, as a write without effect (dryRun) shows; or for
  // ReachOptions::atMost. Throws Cancelled only.
  [[nodiscard]] base::Task<void> awaited(kube::Api& api);

  // For people; "" when nothing is waited for.
  [[nodiscard]] const std::string& waitsFor() const { return waitsFor_; }

 private:
  [[nodiscard]] base::Task<std::string> look(kube::Api& api) const;
  [[nodiscard]] base::Task<std::string> lookAt(kube::Api& api, kube::Resource kind) const;
  void tell(std::string problem);

  base::Runtime runtime_;
  ServesSince servesSince_;
  ReachOptions options_;
  std::string waitsFor_;
};

}  // namespace ingot::coordinator::webhooks
