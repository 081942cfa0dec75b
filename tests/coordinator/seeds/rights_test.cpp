// spec/capm3.md §20.4, spec/ipam.md §16: the rights that Metal3's own manifests give are enough.
#include "tests/coordinator/seeds/story.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include <set>

namespace ingot::tests::seeds {
namespace {

using Texts = std::vector<std::string>;

struct Rule {
  std::string group;
  Texts resources, verbs;
};

const Texts kRead = {"get", "list", "watch"}, kWriteStatus = {"get", "update", "patch"},
            kAll = {"get", "list", "watch", "create", "update", "patch", "delete"};

const std::vector<Rule> kOfCapm3 = {
    {"", {"events"}, {"get", "list", "watch", "create", "update", "patch"}},
    {"", {"secrets"}, kAll},
    {"cluster.x-k8s.io", {"clusters", "clusters/status", "machinesets"}, kRead},
    {"cluster.x-k8s.io", {"machines", "machines/status", "machinedeployments"}, kAll},
    {"controlplane.cluster.x-k8s.io", {"kubeadmcontrolplanes"}, kRead},
    {"infrastructure.cluster.x-k8s.io",
     {"metal3clusters", "metal3clustertemplates", "metal3dataclaims", "metal3datas", "metal3datatemplates",
      "metal3machines", "metal3machinetemplates", "metal3remediations"},
     kAll},
    {"infrastructure.cluster.x-k8s.io",
     {"metal3clusters/status", "metal3dataclaims/status", "metal3datas/status", "metal3datatemplates/status",
      "metal3machines/status", "metal3remediations/status"},
     kWriteStatus},
    {"ipam.cluster.x-k8s.io", {"ipaddressclaims"}, kAll},
    {"ipam.cluster.x-k8s.io", {"ipaddresses"}, kRead},
    {"ipam.metal3.io", {"ipclaims"}, kAll},
    {"ipam.metal3.io", {"ipaddresses", "ippools"}, kRead},
    {"metal3.io", {"baremetalhosts"}, kAll},
    {"metal3.io", {"baremetalhosts/status"}, kWriteStatus},
};

const std::vector<Rule> kOfIpam = {
    {"ipam.metal3.io", {"ippools", "ipclaims", "ipaddresses"}, kAll},
    {"ipam.metal3.io", {"ippools/status", "ipclaims/status", "ipaddresses/status"}, kWriteStatus},
    {"ipam.cluster.x-k8s.io", {"ipaddressclaims", "ipaddresses"}, kAll},
    {"ipam.cluster.x-k8s.io", {"ipaddressclaims/status", "ipaddresses/status"}, kWriteStatus},
};

std::set<std::string> rightsOf(const std::vector<Rule>& rules) {
  std::set<std::string> out;
  for (const auto& rule : rules)
    for (const auto& resource : rule.resources)
      for (const auto& verb : rule.verbs)
        out.insert(fmt::format("{} {}{}{}", verb, resource, rule.group.empty() ? "" : ".", rule.group));
  return out;
}

}  // namespace

TEST_CASE("capm3 §20.4, ipam §16 a life of machines needs no right that Metal3's managers do not have", "[seeds]") {
  auto given = rightsOf(kOfCapm3);
  given.merge(rightsOf(kOfIpam));
  Plot plot;
  plot.remediates = true;
  plot.replaced = Replaced::someTime;
  Coverage coverage;
  World world;
  world.begin(1, Fates(coverage));
  CHECK(Story(world, plot).tell().empty());
  const auto& used = world.traffic.used();
  CHECK(used.contains("patch baremetalhosts.metal3.io"));
  CHECK(used.contains("patch metal3remediations/status.infrastructure.cluster.x-k8s.io"));
  for (const auto& right : used) {
    INFO(right);
    CHECK(given.contains(right));
  }
}

}  // namespace ingot::tests::seeds
