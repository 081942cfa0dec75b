// A site without Ironic whose host runs from a live ISO, and is to be cleaned when it is given back.
#pragma once

#include "kube/core/config_map.hpp"
#include "tests/bmc/fake_drives.hpp"
#include "tests/coordinator/agents/agents_only.hpp"

namespace ingot::tests {

// A host that runs from a live ISO, with two disks, which are to be cleaned.
struct Cleaned : AgentsOnly {
  explicit Cleaned(const std::string& depth = "crypto", const std::function<void(FakeDrives&)>& change = {}) {
    drives.add("A"), drives.add("B");
    if (change) change(drives);
    serveAll("near");
    addHost("a", "10.0.0.1", false);
    patchHost("a",
              fmt::format(R"({{"metadata":{{"annotations":{{"inspect.metal3.io":null,{}}}}},)"
                          R"("spec":{{"automatedCleaningMode":"metadata"}}}})",
                          depth.empty() ? R"("x":"y")" : fmt::format(R"("ingot.dev/cleaning-depth":"{}")", depth)));
  }
  void occupy() {
    REQUIRE(becomes("available"));
    provision();
    REQUIRE(becomes("provisioned"));
    pass(10s);
    machine().journal.clear();
  }
  std::vector<kube::ConfigMap> certificates() {
    return loop.run(user().list<kube::ConfigMap>({.namespace_ = "metal"}));
  }
  bool isClean() { return drives.areErasedOnce(); }

  FakeDrives drives{machine()};
};

}  // namespace ingot::tests
