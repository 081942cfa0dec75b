#include "tests/coordinator/seeds/cast.hpp"

#include "api/bmh/baremetalhost.hpp"
#include "kube/core/error.hpp"

#include <algorithm>

namespace ingot::tests::seeds {

namespace {

using api::BareMetalHost;

constexpr const char* kLetGo =
    R"({"metadata":{"labels":{"cluster.x-k8s.io/cluster-name":null},)"
    R"("annotations":{"clusterctl.cluster.x-k8s.io/block-move":null}},"spec":{"consumerRef":null}})";

std::string claim() {
  return fmt::format(R"({{"metadata":{{"labels":{{"cluster.x-k8s.io/cluster-name":"theirs"}}}},"spec":{{)"
                     R"("consumerRef":{{"kind":"Metal3Machine","namespace":"metal","name":"{}",)"
                     R"("apiVersion":"infrastructure.cluster.x-k8s.io/v1beta1"}}}}}})",
                     kRival);
}

bool isFree(const json::Value& host) {
  const bool isMarked = !annotation(host, "baremetalhost.metal3.io/paused").empty() ||
                        has(&host, {"metadata", "annotations", "capi.metal3.io/unhealthy"}) ||
                        has(&host, {"metadata", "annotations", "capm3.metal3.io/unhealthy"});
  return !has(&host, {"spec", "consumerRef"}) && !isDeployed(&host) && !isInUse(host) && !isMarked;
}

}  // namespace

Rival::Rival(World& world, const Plot& plot) : world_(world), isAtWork_(plot.hasRival) {
  if (!isAtWork_) return;
  world_.traffic.meanwhile = [this](Moment moment, const std::string& write, const std::string& host) {
    return meddle(moment, write, host);
  };
}

Rival::~Rival() { world_.traffic.meanwhile = {}; }

void Rival::act() {
  for (const auto& name : namesOf(world_.ledger.all("baremetalhosts"))) {
    const json::Value& host = *world_.ledger.find("baremetalhosts", name);
    const bool isTheirs = consumerOf(&host) == kRival;
    if (isTheirs && (!isAtWork_ || below(10) == 0)) world_.change<BareMetalHost>(name, kLetGo);
    if (isAtWork_ && !isTheirs && isFree(host) && below(10) == 0) world_.change<BareMetalHost>(name, claim());
  }
}

bool Rival::hasHost() const {
  return std::ranges::any_of(world_.ledger.all("baremetalhosts"),
                             [](const auto& host) { return consumerOf(&host.second) == kRival; });
}

// It read the host while that was free, and writes a moment before or after the machine that has chosen it, too.
base::Task<void> Rival::meddle(Moment moment, const std::string& write, const std::string& name) {
  const bool isClaim = isAtWork_ && write == "machine: PATCH baremetalhosts claim" && below(4) == 0;
  const auto* host = isClaim ? world_.ledger.find("baremetalhosts", name) : nullptr;
  const bool isClaimed = !consumerOf(host).empty() && consumerOf(host) != kRival && !isDeployed(host);
  const bool takes = moment == Moment::before ? host != nullptr && isFree(*host) : isClaimed && !isInUse(*host);
  return take(world_, takes ? name : "");
}

base::Task<void> Rival::take(World& world, std::string host) {
  if (host.empty()) co_return;
  try {
    co_await world.patchMeanwhile<BareMetalHost>(std::move(host), claim());
  } catch (const kube::Error& error) {
    if (error.code() != kube::Error::Code::notFound) throw;
  }
}

}  // namespace ingot::tests::seeds
