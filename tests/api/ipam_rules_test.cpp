// spec/ipam.md §7.1 to §7.5, rule by rule.
#include "api/ipam/admission.hpp"
#include "json/yaml.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>

using namespace ingot;
using api::ipam::IPAddress;
using api::ipam::IPClaim;
using api::ipam::IPPool;

namespace {

// "field: message" of each cause.
std::vector<std::string> causesOf(const api::Verdict& verdict) {
  std::vector<std::string> out;
  for (const auto& cause : verdict.fields.all())
    out.push_back(fmt::format("{}: {}", cause.field, cause.message.substr(cause.message.rfind("\": ") + 3)));
  return out;
}

using Causes = std::vector<std::string>;

template <class T>
T readFrom(const std::string& yaml) {
  return json::decode<T>(json::parseYamlValue(yaml));
}

IPPool poolWith(const std::string& spec) {
  return readFrom<IPPool>("{metadata: {name: p}, spec: {namePrefix: net, " + spec + "}}");
}

const std::string kTen = "pools: [{start: 10.0.0.1, end: 10.0.0.9}]", kBadAddress = "is not a valid IP address";

}  // namespace

// Whoever may make a pool makes it so: range by range, each address would keep the loop for minutes.
TEST_CASE("§7.3 a pool of many ranges and many kept addresses is judged", "[api][ipam]") {
  constexpr int many = 20'000;
  IPPool pool = poolWith("pools: [{start: 10.0.0.1}]");
  pool.spec.pools.assign(many, {.start = "10.0.0.1", .end = "10.0.0.2"});
  pool.spec.pools.push_back({.start = "10.1.0.0", .end = "10.1.255.255"});
  for (int i = 0; i < many; ++i)
    pool.spec.preAllocations[fmt::format("c{}", i)] = fmt::format("10.1.{}.{}", i / 256, i % 256);
  CHECK(api::ipam::admitCreate(pool).fields.all().empty());
  pool.spec.pools.pop_back();
  CHECK(api::ipam::admitCreate(pool).fields.all().size() == many);
}

TEST_CASE("§7.1 each rule for a pool names its field", "[api][ipam]") {
  struct Row {
    std::string spec;
    Causes causes;
  };
  const auto row = GENERATE_REF(values<Row>({
      {kTen + ", gateway: 10.0.0.1, dnsServers: ['::1'], preAllocations: {a: 10.0.0.2, b: 10.0.0.3}", {}},
      {kTen + ", gateway: none", {"spec.gateway: " + kBadAddress}},
      {kTen + ", gateway: 10.0.0.0/24", {"spec.gateway: " + kBadAddress}},
      {kTen + ", dnsServers: [10.0.0.1, none]", {"spec.dnsServers[1]: " + kBadAddress}},
      {kTen + ", preAllocations: {a: none}",
       {"spec.preAllocations.a: " + kBadAddress, "spec.preAllocations: is out of bonds of the pools given"}},
      {"pools: [{start: '::1', end: '::9'}], preAllocations: {a: '::5', b: '::0005'}",
       {"spec.preAllocations.b: IP address is already pre-allocated to claim \"a\""}},
      {kTen + ", preAllocations: {a: 10.0.0.5, b: 10.0.0.5}",
       {"spec.preAllocations.b: IP address is already pre-allocated to claim \"a\""}},
      {"pools: [{prefix: 24, gateway: none}]",
       {"spec.pools[0]: pool entry must specify at least one of start, end, or subnet"}},
      {"pools: [{start: none}]", {"spec.pools[0]: invalid Start IP \"none\""}},
      {"pools: [{start: 10.0.0.1, end: none}]", {"spec.pools[0]: invalid End IP \"none\""}},
      {"pools: [{subnet: none}]", {"spec.pools[0]: invalid Subnet \"none\": invalid CIDR address: none"}},
      {"pools: [{start: 10.0.0.9, end: 10.0.0.1}]", {"spec.pools[0]: end IP 10.0.0.1 is before start IP 10.0.0.9"}},
      {"pools: [{subnet: 10.0.0.0/24, gateway: none, dnsServers: [none]}]",
       {"spec.pools[0].gateway: " + kBadAddress, "spec.pools[0].dnsServers[0]: " + kBadAddress}},
      {"allocationStrategy: random, pools: [{start: 10.0.0.1}]",
       {"spec.pools[0]: cannot be used with allocationStrategy \"random\": pool with Start requires End or Subnet to "
        "determine size"}},
      {"allocationStrategy: random, pools: [{start: 10.0.0.1, gateway: none}]",
       {"spec.pools[0].gateway: " + kBadAddress}},
      {kTen + ", preAllocations: {a: 10.0.0.10}", {"spec.preAllocations: is out of bonds of the pools given"}},
  }));
  CAPTURE(row.spec);
  Causes told;
  for (const auto& cause : admitCreate(poolWith(row.spec)).fields.all())
    for (const auto& expected : row.causes) {
      const auto colon = expected.find(": ");
      if (cause.field == expected.substr(0, colon) && cause.message.ends_with(expected.substr(colon)))
        told.push_back(expected);
    }
  CHECK(told == row.causes);
  CHECK(admitCreate(poolWith(row.spec)).fields.size() == row.causes.size());
}

TEST_CASE("§7.2 what of a pool stays, and which addresses stay within it", "[api][ipam]") {
  const auto changed = [](const std::string& before, const std::string& after) {
    IPPool old = poolWith(before);
    old.status.indexes = {{"a", "10.0.0.5"}};
    return causesOf(admitUpdate(old, poolWith(after)));
  };
  CHECK(changed(kTen, kTen + ", allocationStrategy: sequential, prefix: 24, gateway: 10.0.0.1, dnsServers: [9.9.9.9], "
                             "clusterName: c, preAllocations: {b: 10.0.0.2}")
            .empty());
  CHECK(changed(kTen, kTen + ", allocationStrategy: random") ==
        Causes{"spec.allocationStrategy: cannot be modified after creation"});
  CHECK(changed(kTen, "pools: [{start: 10.0.0.6, end: 10.0.0.9}]") ==
        Causes{"spec.pools: is in use but out of bounds of the pools given"});
  CHECK(changed(kTen, kTen + ", preAllocations: {a: 10.0.0.10}") ==
        Causes{"spec.preAllocations: is out of bounds of the pools given"});
  CHECK(changed(kTen, kTen + ", gateway: none") == Causes{"spec.gateway: " + kBadAddress});
  IPPool renamed = poolWith(kTen);
  renamed.spec.namePrefix = "other";
  CHECK(causesOf(admitUpdate(poolWith(kTen), renamed)) == Causes{"spec.namePrefix: cannot be modified"});
}

TEST_CASE("§7.2 a pool with an address outside of its ranges can be labelled, paused and let go", "[api][ipam]") {
  IPPool pool = poolWith(kTen);
  pool.status.indexes = {{"by-hand", "10.9.9.9"}};
  IPPool after = pool;
  after.metadata.labels["a"] = "b";
  after.spec.gateway = "10.0.0.1";
  CHECK(admitUpdate(pool, after).allowed());
}

TEST_CASE("§7.4 each rule for a claim names its field", "[api][ipam]") {
  const auto claim = [](const std::string& pool, const std::string& requested = "") {
    return readFrom<IPClaim>("{metadata: {name: c, annotations: {ipAddress: '" + requested + "'}}, spec: {pool: {" +
                             pool + "}}}");
  };
  CHECK(admitCreate(claim("name: p")).allowed());
  CHECK(admitCreate(claim("name: p", "::1")).allowed());
  CHECK(causesOf(admitCreate(claim("name: ''"))) == Causes{"spec.pool.name: cannot be empty"});
  CHECK(causesOf(admitCreate(claim("name: p", "1.2.3"))) == Causes{"metadata.annotations.ipAddress: " + kBadAddress});
  CHECK(causesOf(admitUpdate(claim("name: p"), claim("name: p", "1.2.3"))) ==
        Causes{"metadata.annotations.ipAddress: " + kBadAddress});
  for (const char* other : {"name: q", "name: p, namespace: far", "name: p, kind: IPPool"}) {
    const auto causes = admitUpdate(claim("name: p"), claim(other)).fields.all();
    REQUIRE(causes.size() == 1);
    CHECK(causes[0].field == "spec.pool");
    CHECK_THAT(causes[0].message, Catch::EndsWith("cannot be modified"));
  }
}

TEST_CASE("§7.5 each rule for an address names its field", "[api][ipam]") {
  const auto address = [](const std::string& spec, const std::string& requested = "") {
    return readFrom<IPAddress>("{metadata: {name: a, annotations: {ipAddress: '" + requested + "'}}, spec: {" + spec +
                               "}}");
  };
  const std::string whole = "pool: {name: p}, claim: {name: c}, address: 10.0.0.1";
  CHECK(admitCreate(address(whole)).allowed());
  CHECK(causesOf(admitCreate(address("pool: {name: ''}, claim: {name: ''}, address: ''"))) ==
        Causes{"spec.pool.name: cannot be empty", "spec.claim.name: cannot be empty", "spec.address: cannot be empty"});
  CHECK(causesOf(admitCreate(address("pool: {name: p}, claim: {name: c}, address: 10.0.0"))) ==
        Causes{"spec.address: " + kBadAddress});
  CHECK(causesOf(admitCreate(address(whole, "10.0.0"))) == Causes{"metadata.annotations.ipAddress: " + kBadAddress});
  CHECK(
      admitUpdate(address(whole), address(whole + ", prefix: 24, gateway: 10.0.0.9, dnsServers: [9.9.9.9]")).allowed());
  struct Row {
    std::string spec, field;
  };
  for (const auto& row :
       std::vector<Row>{{"pool: {name: p}, claim: {name: c}, address: 10.0.0.2", "spec.address"},
                        {"pool: {name: q}, claim: {name: c}, address: 10.0.0.1", "spec.pool"},
                        {"pool: {name: p, kind: IPPool}, claim: {name: c}, address: 10.0.0.1", "spec.pool"},
                        {"pool: {name: p}, claim: {name: d}, address: 10.0.0.1", "spec.claim"},
                        {"pool: {name: p}, claim: {name: c, namespace: far}, address: 10.0.0.1", "spec.claim"}}) {
    INFO(row.spec);
    const auto causes = admitUpdate(address(whole), address(row.spec)).fields.all();
    REQUIRE(causes.size() == 1);
    CHECK(causes[0].field == row.field);
    CHECK_THAT(causes[0].message, Catch::EndsWith("cannot be modified"));
  }
}
