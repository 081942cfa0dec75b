// Which addresses a pool's new ranges would leave out (spec/ipam.md §7.2).
#include "coordinator/admission/addresses_in_use.hpp"

#include "api/ipam/ip_address.hpp"
#include "base/random.hpp"
#include "coordinator/admission/judge.hpp"
#include "json/yaml.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using coordinator::AddressBounds;
using coordinator::AddressesInUse;
using Addresses = std::vector<std::string>;

namespace {

const kube::ObjectKey kThePool{"metal", "pool"};

json::Value addressObject(const std::string& name, const std::string& address, const std::string& pool = "pool") {
  return json::Object{{"metadata", json::Object{{"name", name}, {"namespace", "metal"}}},
                      {"spec", json::Object{{"address", address}, {"pool", json::Object{{"name", pool}}}}}};
}

AddressBounds boundsOf(const std::vector<std::pair<std::string, std::string>>& ranges) {
  std::vector<api::ipam::Range> all(ranges.size());
  for (std::size_t i = 0; i < ranges.size(); ++i) std::tie(all[i].start, all[i].end) = ranges[i];
  return AddressBounds(all);
}

json::Value poolWith(const std::string& ranges) {
  return json::parseYamlValue(
      "{apiVersion: ipam.metal3.io/v1alpha1, kind: IPPool, metadata: {name: pool, namespace: metal}, spec: "
      "{namePrefix: p, allocationStrategy: sequential, pools: [" +
      ranges + "]}}");
}

// Says who is asked for, and has one address.
class OneAddress final : public coordinator::OtherObjects {
 public:
  mutable int asked = 0;
  void eachMentioning(const kube::KindInfo& kind, const std::string& name, const std::optional<std::string>& namespace_,
                      const Visit& visit) const override {
    ++asked;
    CHECK(name == "pool");
    CHECK(namespace_ == "metal");
    if (kind.group == "ipam.metal3.io") visit(addressObject("a", "10.0.0.7"));
  }
};

coordinator::Ruling judged(const std::string& before, const std::string& after,
                           const coordinator::OtherObjects& others) {
  const json::Value old = poolWith(before), object = poolWith(after);
  return coordinator::judgePool({.operation = apiserver::Operation::update, .object = object, .before = &old}, others);
}

}  // namespace

TEST_CASE("§7.2 addresses beyond the bounds are those that they do not hold", "[admission]") {
  const auto random = base::seededRandom(7);
  const auto addressAt = [&] { return fmt::format("10.0.{}.{}", random->below(4), random->below(256)); };
  AddressesInUse all(api::ipam::IPAddress::info);
  std::map<std::string, std::string> expected;  // by name
  for (int step = 0; step < 600; ++step) {
    const std::string name = fmt::format("n{}", random->below(100));
    if (random->below(4) == 0) {
      all.drop({"metal", name});
      expected.erase(name);
      continue;
    }
    const std::string address = random->below(20) == 0 ? "nonsense" : addressAt();
    const bool isOthers = random->below(10) == 0;
    all.put(addressObject(name, address, isOthers ? "other" : "pool"));
    expected.erase(name);
    if (!isOthers) expected[name] = address;
  }
  for (int round = 0; round < 50; ++round) {
    std::vector<std::pair<std::string, std::string>> ranges;
    for (std::size_t i = random->below(5); i > 0; --i) ranges.emplace_back(addressAt(), addressAt());
    const AddressBounds bounds = boundsOf(ranges);
    Addresses wanted;
    for (const auto& [name, address] : expected)
      if (!bounds.hold(address)) wanted.push_back(address);
    Addresses found = all.beyond(kThePool, bounds);
    std::ranges::sort(wanted);
    std::ranges::sort(found);
    CHECK(found == wanted);
  }
}

TEST_CASE("§7.3 bounds cover others whose every range lies within one of theirs", "[admission]") {
  struct Row {
    std::vector<std::pair<std::string, std::string>> mine, theirs;
    bool covers;
  };
  const std::vector<Row> rows = {
      {{{"10.0.0.1", "10.0.0.9"}}, {{"10.0.0.1", "10.0.0.9"}}, true},
      {{{"10.0.0.1", "10.0.0.9"}}, {{"10.0.0.2", "10.0.0.3"}, {"10.0.0.8", "10.0.0.9"}}, true},
      {{{"10.0.0.1", "10.0.0.5"}, {"10.0.0.4", "10.0.0.9"}}, {{"10.0.0.2", "10.0.0.8"}}, true},
      {{{"10.0.0.2", "10.0.0.9"}}, {{"10.0.0.1", "10.0.0.9"}}, false},
      {{{"10.0.0.1", "10.0.0.8"}}, {{"10.0.0.1", "10.0.0.9"}}, false},
      {{{"10.0.0.1", "10.0.0.4"}, {"10.0.0.6", "10.0.0.9"}}, {{"10.0.0.1", "10.0.0.9"}}, false},
      {{}, {{"10.0.0.1", "10.0.0.1"}}, false},
      {{}, {}, true},
      {{{"nonsense", "10.0.0.9"}}, {{"10.0.0.1", "10.0.0.9"}}, false},
  };
  for (const auto& row : rows) {
    INFO(&row - rows.data());
    CHECK(boundsOf(row.mine).cover(boundsOf(row.theirs)) == row.covers);
  }
}

TEST_CASE("§7.2 who uses a pool is asked only where its ranges lose something", "[admission]") {
  const OneAddress others;
  const std::string before = "{start: 10.0.0.1, end: 10.0.0.9}";
  CHECK_FALSE(judged(before, "{start: 10.0.0.1, end: 10.0.0.20}", others).refusal);
  CHECK_FALSE(judged(before, before + ", {start: 10.1.0.1, end: 10.1.0.9}", others).refusal);
  CHECK_FALSE(judged(before, "{start: 10.0.0.1, end: 10.0.0.9, gateway: 10.0.0.254}", others).refusal);
  CHECK(others.asked == 0);
  CHECK_FALSE(judged(before, "{start: 10.0.0.1, end: 10.0.0.7}", others).refusal);
  CHECK(others.asked == 2);  // of both kinds
  const auto ruling = judged(before, "{start: 10.0.0.1, end: 10.0.0.6}", others);
  REQUIRE(ruling.refusal);
  CHECK(ruling.refusal->message.find("spec.pools: Invalid value: \"10.0.0.7\": is in use but out of bounds") !=
        std::string::npos);
}
