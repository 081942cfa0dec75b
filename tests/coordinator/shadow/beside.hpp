// A book beside one machine that Metal3's managers, users, and the decisions of the test change.
#pragma once

#include "coordinator/shadow/book.hpp"
#include "tests/support/loop.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>

namespace ingot::tests::shadowed {

using coordinator::shadow::Book;
using coordinator::shadow::Difference;
using coordinator::shadow::Limits;
using coordinator::shadow::ObjectId;
using coordinator::shadow::Outcome;

inline constexpr const char* kTheirs = "cluster-api-provider-metal3-manager";
inline const ObjectId kMachine{"", "metal3machines.infrastructure.cluster.x-k8s.io", {"metal", "m"}};
inline const ObjectId kAddress{"", "ipaddresses.ipam.metal3.io", {"metal", "pool-10"}};

// A Metal3Machine with these fields of its spec, as `manager` left it.
inline json::Value machine(const std::string& version, const std::string& spec, const std::string& manager = kTheirs) {
  return json::parse(fmt::format(
      R"({{"kind":"Metal3Machine","metadata":{{"namespace":"metal","name":"m","resourceVersion":"{}","managedFields":[
        {{"manager":"{}","time":"2026-11-22T04:23:18Z","fieldsV1":{{"f:spec":{{}}}}}}]}},"spec":{}}})",
      version, manager, spec));
}

inline json::Value address(const std::string& version, const std::string& manager = "ipam") {
  return json::parse(fmt::format(
      R"({{"kind":"IPAddress","metadata":{{"namespace":"metal","name":"pool-10","resourceVersion":"{}","ownerReferences":
        [{{"kind":"Metal3Machine","name":"m"}}],"managedFields":[{{"manager":"{}","time":"2026-11-22T04:23:18Z",
        "fieldsV1":{{"f:spec":{{}}}}}}]}},"spec":{{"address":"10.0.0.10"}}}})",
      version, manager));
}

struct Beside : Loop {
  explicit Beside(Limits limits = {})
      : book(clock, "salt", limits, {.differs = [this](const Difference&) { ++told; }}) {
    book.seen(kMachine, machine("1", R"({"a":"old"})"), Book::Sight::listed);
    pass(std::chrono::seconds(10));
  }

  void pass(base::Duration time) {
    for (const auto end = clock.now() + time; clock.now() < end;) {
      clock.advance(std::chrono::seconds(1));
      book.look();
    }
  }
  void want(const std::string& ours, const std::string& version = "1", const std::string& path = "spec.a") {
    book.decided({.controller = "metal3machine",
                  .verb = "update",
                  .object = kMachine,
                  .kind = "Metal3Machine",
                  .version = version,
                  .fields = {{path, R"("old")", ours}},
                  .reason = "because"});
  }
  void wantAddress() {
    book.decided({.controller = "ipam",
                  .verb = "create",
                  .object = kAddress,
                  .kind = "IPAddress",
                  .version = "",
                  .fields = {{"", std::nullopt, "true"}, {"spec.address", std::nullopt, R"("10.0.0.10")"}},
                  .reason = "",
                  .owners = {{"Metal3Machine", "m"}}});
  }
  std::uint64_t count(Outcome outcome) const {
    std::uint64_t sum = 0;
    for (const auto& [what, times] : book.counts())
      if (what.second == outcome) sum += times;
    return sum;
  }
  // Nothing else has come out than this, once.
  void only(Outcome outcome) const {
    for (const Outcome each : {Outcome::agreed, Outcome::differs, Outcome::notDone, Outcome::notForeseen,
                               Outcome::withdrawn, Outcome::notCompared}) {
      CAPTURE(nameOf(each));
      CHECK(count(each) == (each == outcome ? 1 : 0));
    }
  }

  int told = 0;
  Book book;
};

}  // namespace ingot::tests::shadowed
