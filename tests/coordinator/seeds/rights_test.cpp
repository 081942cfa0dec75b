// spec/capm3.md §20.4, spec/ipam.md §16: the rights that Metal3's own manifests give are enough.
#include "base/file.hpp"
#include "tests/coordinator/seeds/granted.hpp"
#include "tests/coordinator/seeds/story.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include <algorithm>
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

std::set<std::string> usedIn(const Plot& plot, std::uint64_t seed = 1) {
  Coverage coverage;
  World world;
  world.begin(seed, Fates(coverage));
  CHECK(Story(world, plot).tell().empty());
  return world.traffic.used();
}

// What a life used of which Metal3's manifests give nothing.
std::set<std::string> usedBesides(const Plot& plot, const std::set<std::string>& wanted) {
  auto given = rightsOf(kOfCapm3);
  given.merge(rightsOf(kOfIpam));
  const auto used = usedIn(plot);
  for (const auto& right : wanted) {
    INFO(right);
    CHECK(used.contains(right));
  }
  std::set<std::string> besides;
  std::ranges::set_difference(used, given, std::inserter(besides, besides.end()));
  return besides;
}

Plot fullLife() {
  Plot plot;
  plot.remediates = plot.reusesHosts = plot.hasPlane = plot.foreignPool = plot.sharesPool = true;
  plot.pause = Pause::cluster;
  plot.replaced = Replaced::someTime;
  return plot;
}

}  // namespace

TEST_CASE("a life of machines needs no right that an installation does not give", "[seeds]") {
  for (const bool isRke2 : {false, true}) {
    Plot plot = fullLife();
    plot.planeIsRke2 = isRke2;
    CHECK(comparedWithGranted(usedIn(plot)).denied == std::set<std::string>{});
  }
}

TEST_CASE("capm3 §20.4, ipam §16 a life of machines needs no right that Metal3's managers do not have", "[seeds]") {
  CHECK(usedBesides(fullLife(), {"patch baremetalhosts.metal3.io", "create ipaddressclaims.ipam.cluster.x-k8s.io",
                                 "patch metal3remediations/status.infrastructure.cluster.x-k8s.io",
                                 "get kubeadmcontrolplanes.controlplane.cluster.x-k8s.io"}) == std::set<std::string>{});
}

TEST_CASE("capm3 §11.1 a control plane of another provider needs the right to read it, which the guide names",
          "[seeds]") {
  Plot plot = fullLife();
  plot.planeIsRke2 = true;
  CHECK(usedBesides(plot, {}) == std::set<std::string>{"get rke2controlplanes.controlplane.cluster.x-k8s.io"});
  const std::string guide = base::readFile(INGOT_SOURCE_DIR "/docs/guide/running.md");
  for (const auto* kind : {"`kubeadmcontrolplanes`", "`rke2controlplanes`"}) CHECK_THAT(guide, Catch::Contains(kind));
}

}  // namespace ingot::tests::seeds
