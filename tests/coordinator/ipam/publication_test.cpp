// What a pool shows, and when it may work (spec/ipam.md §2.2, §9).
#include "coordinator/ipam/publication.hpp"
#include "coordinator/caches/publication_pace.hpp"
#include "coordinator/ipam/membership.hpp"
#include "tests/coordinator/ipam/builders.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::coordinator::ipam;

TEST_CASE("a pool shows the first of its claims, as many as fit", "[ipam]") {
  const std::map<std::string, std::string> all = {{"a", "10.0.0.1"}, {"b", "10.0.0.2"}, {"c", "10.0.0.3"}};
  CHECK(publicationOf(all).leftOut == 0);
  CHECK(publicationOf(all).indexes == all);
  CHECK(publicationOf(all, 72).leftOut == 0);  // 24 bytes each, with what managedFields say of it
  CHECK(publicationOf(all, 71).indexes.size() == 2);
  CHECK(publicationOf(all, 71).leftOut == 1);
  CHECK(publicationOf(all, 71).bytes == 48);
  CHECK(publicationOf({}, 0).leftOut == 0);
}

TEST_CASE("a pool shows at most 1 MiB of its addresses", "[ipam]") {
  std::map<std::string, std::string> all;
  for (int i = 0; i < 30'000; ++i)
    all[fmt::format("{:05}", i)] = fmt::format("2001:db8:1111:2222:3333:4444:5555:{:x}", 0x1000 + i);
  const Publication shown = publicationOf(all);
  const std::size_t size = json::serialize(json::encode(shown.indexes)).size();
  CHECK(size <= 1'048'576);
  CHECK(size > 1'048'576 - 49);  // one more would not fit
  CHECK(shown.indexes.size() + shown.leftOut == 30'000);
}

TEST_CASE("what a pool shows is shown anew the more rarely the longer it is", "[ipam]") {
  using coordinator::betweenPublications;
  using std::chrono::seconds;
  CHECK(betweenPublications(0) == seconds(1));
  CHECK(betweenPublications(500) == seconds(1));
  CHECK(betweenPublications(5000) == seconds(10));
}

TEST_CASE("what a pool shows leaves room for all the rest of it", "[ipam]") {
  auto pool = tests::poolOf({});
  const std::size_t plain = roomForIndexes(pool);
  CHECK(plain < kLargestPool);
  for (int i = 0; i < 1000; ++i) pool.spec.preAllocations[fmt::format("claim-{:06}", i)] = "10.0.0.1";
  CHECK(plain - roomForIndexes(pool) >= std::size_t{1000} * (12 + 8 + 6 + 12 + 8));
  pool.metadata.annotations["a"] = std::string(2u << 20, 'x');
  CHECK(roomForIndexes(pool) == 0);
}

TEST_CASE("§9 whether a pool may work", "[ipam]") {
  auto pool = tests::poolOf({});
  api::capi::Cluster cluster;
  cluster.metadata = {.name = "blue", .namespace_ = "metal"};
  CHECK(gateOf(pool, nullptr) == Gate::open);
  pool.spec.clusterName = "blue";
  CHECK(gateOf(pool, nullptr) == Gate::waitsForCluster);
  CHECK(gateOf(pool, &cluster) == Gate::open);
  cluster.spec.paused = true;
  CHECK(gateOf(pool, &cluster) == Gate::paused);
  cluster.spec.paused = false;
  pool.metadata.annotations["cluster.x-k8s.io/paused"] = "";
  CHECK(gateOf(pool, &cluster) == Gate::paused);
  pool.metadata.annotations.clear();
  pool.metadata.deletionTimestamp = base::WallTime{};
  CHECK(gateOf(pool, nullptr) == Gate::open);  // the Cluster may be gone already
}

TEST_CASE("§2.3 an owner reference that names the Cluster is left alone, whatever its uid", "[ipam]") {
  auto pool = tests::poolOf({});
  pool.spec.clusterName = "blue";
  pool.metadata.ownerReferences = {
      {.apiVersion = "cluster.x-k8s.io/v1beta1", .kind = "Cluster", .name = "blue", .uid = "old"}};
  api::capi::Cluster cluster;
  cluster.metadata = {.name = "blue", .namespace_ = "metal", .uid = "new"};
  joinCluster(pool, &cluster);
  CHECK(pool.metadata.ownerReferences.size() == 1);
  CHECK(pool.metadata.labels.at("cluster.x-k8s.io/provider") == "ipam-metal3");
}
