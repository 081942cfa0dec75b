// What is decided without an API (spec/capm3.md §15.2, §16.1).
#include "coordinator/data/claim_kinds.hpp"
#include "coordinator/data/index_book.hpp"
#include "coordinator/data/pool_references.hpp"
#include "coordinator/data/publication.hpp"
#include "coordinator/data/troubles.hpp"
#include "tests/coordinator/data/builders.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace ingot::coordinator::data;
using namespace std::chrono_literals;

namespace {

// "name group/kind" of each pool, or what is wrong.
Texts poolsOf(const std::string& spec) {
  Metal3Data data;
  const kube::ObjectMeta machine{.annotations = {{"pool", "annotated"}, {"empty", ""}}};
  const BareMetalHost host;
  const cloudinit::PoolAddresses none;
  const auto wanted = json::decode<api::capm3::v1beta2::Metal3DataTemplateSpec>(json::parse(spec));
  Texts out;
  try {
    for (const auto& [name, kind] : poolsNamedBy(wanted, {data, &machine, &machine, &host, none}))
      out.push_back(fmt::format("{} {}/{}", name, kind.group, kind.kind));
  } catch (const cloudinit::RenderError& error) {
    return {error.reason()};
  }
  return out;
}

std::string networks(const std::string& list, const std::string& item) {
  return fmt::format(R"({{"networkData":{{"networks":{{"{}":[{}]}}}}}})", list, item);
}

std::string routed(const std::string& list, const std::string& gateway) {
  std::string item = R"({"id":"a","link":"l","routes":[{"network":"0.0.0.0","gateway":)" + gateway + "}]}";
  return networks(list, item);
}

std::shared_ptr<const Metal3Data> dataOf(const std::string& claim, std::optional<int> index) {
  auto data = std::make_shared<Metal3Data>();
  data->spec.claim = {.name = claim, .namespace_ = "metal"};
  data->spec.index = index;
  return data;
}

}  // namespace

TEST_CASE("§16.1, §21 Q19 each pool is asked once, however a template names it", "[data][pools]") {
  const std::string own = " ipam.metal3.io/IPPool";
  CHECK(poolsOf("{}").empty());
  CHECK(poolsOf(
            R"({"metaData":{"ipAddressesFromPool":[{"key":"a","name":"p"}],"prefixesFromPool":[{"key":"b","name":"q"}],
                   "gatewaysFromPool":[{"key":"c","name":"p"}],"dnsServersFromPool":[{"key":"d","name":"r"}]}})") ==
        Texts{"p" + own, "q" + own, "r" + own});
  CHECK(poolsOf(R"({"metaData":{"ipAddressesFromPool":[{"key":"a","name":"p","apiGroup":"x.io","kind":"Y"}]}})") ==
        Texts{"p" + own});
  CHECK(poolsOf(networks("ipv4", R"({"id":"a","link":"l","ipAddressFromIPPool":"p"})")) == Texts{"p" + own});
  CHECK(poolsOf(networks("ipv6", R"({"id":"a","link":"l","fromPoolRef":{"name":"p"}})")) == Texts{"p" + own});
  CHECK(poolsOf(networks("ipv4", R"({"id":"a","link":"l","fromPoolRef":{"name":"p","apiGroup":"x.io","kind":"Y"}})")) ==
        Texts{"p x.io/Y"});
  CHECK(poolsOf(R"({"networkData":{"services":{"dnsFromIPPool":"d"}}})") == Texts{"d" + own});
}

TEST_CASE("§16.1, §21 Q20 gateways of routes take part, those that are written out do not", "[data][pools]") {
  const std::string own = " ipam.metal3.io/IPPool";
  const std::string list = GENERATE("ipv4", "ipv6", "ipv4DHCP", "ipv6DHCP", "ipv6SLAAC");
  CAPTURE(list);
  CHECK(poolsOf(routed(list, R"({"fromIPPool":"g"})")) == Texts{"g" + own});
  CHECK(poolsOf(routed(list, R"({"fromPoolRef":{"name":"g","apiGroup":"x.io","kind":"Y"}})")) == Texts{"g x.io/Y"});
  CHECK(poolsOf(routed(list, R"({"fromPoolAnnotation":{"object":"machine","annotation":"pool"}})")) ==
        Texts{"annotated" + own});
  CHECK(poolsOf(routed(list, R"({"string":"10.0.0.1","fromIPPool":"g"})")).empty());
}

TEST_CASE("§16.1, §21 Q20 an annotation decides alone which pool is asked", "[data][pools]") {
  const auto named = [](const std::string& object, const std::string& annotation) {
    return networks("ipv4", fmt::format(R"({{"id":"a","link":"l","ipAddressFromIPPool":"p","fromPoolAnnotation":)"
                                        R"({{"object":"{}","annotation":"{}"}}}})",
                                        object, annotation));
  };
  CHECK(poolsOf(named("metal3machine", "pool")) == Texts{"annotated ipam.metal3.io/IPPool"});
  CHECK(poolsOf(named("machine", "empty")) == Texts{"annotation empty not found or empty on machine"});
  CHECK(poolsOf(named("baremetalhost", "none")) == Texts{"annotation none not found or empty on baremetalhost"});
  CHECK(poolsOf(named("pod", "pool")) == Texts{"unknown object type"});
}

TEST_CASE("§16.1 one name cannot stand for pools of two kinds", "[data][pools]") {
  const auto both = [](const std::string& group) {
    return fmt::format(
        R"({{"metaData":{{"ipAddressesFromPool":[{{"key":"a","name":"p","apiGroup":"{}","kind":"Y"}}]}},)"
        R"("networkData":{{"networks":{{"ipv4":[{{"id":"a","link":"l",)"
        R"("fromPoolRef":{{"name":"p","apiGroup":"x.io","kind":"Y"}}}}]}}}}}})",
        group);
  };
  CHECK(poolsOf(both("x.io")) == Texts{"p x.io/Y"});
  CHECK(poolsOf(both("ipam.metal3.io")) ==
        Texts{"multiple references with the same name but different resource types"});
}

TEST_CASE("the name of a Metal3Data tells its template and its index", "[data][indexes]") {
  const auto slot = [](const std::string& name) { return slotNamed({"metal", name}); };
  CHECK(slot("dt-0") == Slot{{"metal", "dt"}, 0});
  CHECK(slot("my-dt-12") == Slot{{"metal", "my-dt"}, 12});
  for (const char* name : {"dt", "dt-", "-1", "dt-01", "dt-x", "dt-1x", "dt-+1", "dt-99999999999"})
    CHECK_FALSE(slot(name));
  CHECK(Slot{{"metal", "dt"}, 7}.dataKey() == kube::ObjectKey{"metal", "dt-7"});
}

TEST_CASE("§15.2 a template shows the smallest of its indexes, 512 at most", "[data][publication]") {
  CHECK(publicationOf({}).indexes.empty());
  const auto few = publicationOf({dataOf("b", 2), dataOf("a", 0), dataOf("", 1), dataOf("c", std::nullopt)});
  CHECK(few.indexes == std::vector<api::capm3::v1beta2::DataIndex>{{"a", 0}, {"b", 2}});
  CHECK(few.leftOut == 0);
  std::vector<std::shared_ptr<const Metal3Data>> many;
  for (int i = 599; i >= 0; --i) many.push_back(dataOf(fmt::format("m{}", i), i));
  const auto shown = publicationOf(many);
  CHECK(shown.indexes.size() == 512);
  CHECK(shown.indexes.back().index == 511);
  CHECK(shown.leftOut == 88);
}

TEST_CASE("§21 Q2 an error text fits into the status, in whole characters", "[data][troubles]") {
  CHECK(cutForStatus("short") == "short");
  CHECK(cutForStatus(std::string(512, 'x')).size() == 512);
  CHECK(cutForStatus(std::string(513, 'x')) == std::string(509, 'x') + "...");
  std::string umlauts = "x";
  for (int i = 0; i < 300; ++i) umlauts += "ü";
  const std::string cut = cutForStatus(umlauts);
  CHECK(cut.size() == 512);  // 1 + 254 of two bytes + 3
  CHECK(cut.ends_with("ü..."));
}

TEST_CASE("a wait is told after a while, and starts anew for another reason", "[data][troubles]") {
  Patience patience;
  const kube::ObjectKey key{"metal", "a"};
  const base::MonoTime start{};
  CHECK(patience.note(key, "x", start) == Patience::Look{15s, false});
  CHECK(patience.note(key, "x", start + 10s) == Patience::Look{5s, false});
  CHECK(patience.note(key, "x", start + 20s) == Patience::Look{0s, false});
  CHECK(patience.note(key, "y", start + 20s) == Patience::Look{15s, true});
  patience.forget(key);
  CHECK(patience.note(key, "y", start + 40s) == Patience::Look{15s, false});
}

TEST_CASE("an address is its claim's unless it says that it is an earlier one's", "[data][pools]") {
  IPClaim claim;
  claim.metadata = {.name = "dt-0-prov", .namespace_ = "metal", .uid = "new"};
  api::ipam::IPAddress address;
  address.spec.claim = {.namespace_ = "metal", .name = "dt-0-prov"};
  CHECK(isAddressOf(address, claim));
  address.metadata.ownerReferences = {{"ipam.metal3.io/v1alpha1", "IPPool", "prov", "pool"},
                                      {"ipam.metal3.io/v1alpha1", "IPClaim", "dt-0-prov", "old"}};
  CHECK_FALSE(isAddressOf(address, claim));
  address.metadata.ownerReferences.push_back({"ipam.metal3.io/v1beta1", "IPClaim", "dt-0-prov", "new"});
  CHECK(isAddressOf(address, claim));
  address.metadata.deletionTimestamp = base::WallTime{};
  CHECK_FALSE(isAddressOf(address, claim));
  address.metadata.finalizers = {"ipaddress.ipam.metal3.io"};
  CHECK(isAddressOf(address, claim));
  address.metadata.ownerReferences.pop_back();
  CHECK_FALSE(isAddressOf(address, claim));
  IPAddressClaim theirs;
  theirs.metadata = {.name = "dt-0-theirs", .namespace_ = "metal", .uid = "new"};
  api::capi_ipam::IPAddress other;
  other.spec.claimRef = {"dt-0-prov"};
  CHECK_FALSE(isAddressOf(other, theirs));
  other.spec.claimRef = {"dt-0-theirs"};
  CHECK(isAddressOf(other, theirs));
  other.metadata.ownerReferences = {{"ipam.cluster.x-k8s.io/v1beta1", "IPAddressClaim", "dt-0-theirs", "old", true}};
  CHECK_FALSE(isAddressOf(other, theirs));
}
