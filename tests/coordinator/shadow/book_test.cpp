// What comes of a decision, by what the API shows afterwards.
#include "tests/coordinator/shadow/beside.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using namespace coordinator::shadow;
using namespace shadowed;

TEST_CASE("what they do with a field that Ingot would write is agreement, a difference, or nobody's", "[shadow]") {
  struct Row {
    const char *spec, *manager;
    Outcome outcome;
  };
  const Row rows[] = {
      {R"({"a":"new"})", kTheirs, Outcome::agreed},
      {R"({"a":"other"})", kTheirs, Outcome::differs},
      {R"({})", kTheirs, Outcome::differs},
      {R"({"a":"other"})", "", Outcome::differs},  // who it was is not known
      {R"({"a":"other"})", "kubectl-edit", Outcome::withdrawn},
      {R"({"a":"new"})", "kubectl-edit", Outcome::agreed},
  };
  for (const Row& row : rows) {
    CAPTURE(row.spec, row.manager);
    Beside site;
    site.want(R"("new")");
    CHECK(site.book.pending() == 1);
    site.book.seen(kMachine, machine("2", row.spec, row.manager), Book::Sight::watched);
    site.only(row.outcome);
    CHECK(site.book.pending() == 0);
    CHECK(site.book.differences().size() == (row.outcome == Outcome::differs ? 1 : 0));
  }
}

TEST_CASE("a difference says which field, who, what and why", "[shadow]") {
  Beside site;
  site.want(R"("new")");
  site.book.seen(kMachine, machine("2", R"({"a":"other"})"), Book::Sight::watched);
  REQUIRE(site.book.differences().size() == 1);
  const auto& found = site.book.differences().front();
  CHECK(found.controller == "metal3machine");
  CHECK(found.object == kMachine);
  CHECK(found.manager == kTheirs);
  CHECK(found.version == "2");
  CHECK(found.reason == "because");
  CHECK(found.fields == std::vector<Difference::Field>{{"spec.a", R"("old")", R"("other")", R"("new")"}});
  CHECK(site.told == 1);
}

TEST_CASE("an Event says why where the status does not", "[shadow]") {
  Beside site;
  site.book.decided({.controller = "metal3machine",
                     .verb = "update",
                     .object = kMachine,
                     .kind = "Metal3Machine",
                     .version = "1",
                     .fields = {{"spec.a", std::nullopt, R"("new")"}},
                     .reason = ""});
  site.book.explained("Metal3Machine", {"metal", "m"}, "HostChosen: it is free");
  site.book.explained("Metal3Machine", {"metal", "m"}, "Later: not this");
  site.book.seen(kMachine, machine("2", R"({"a":"other"})"), Book::Sight::watched);
  CHECK(site.book.differences().front().reason == "HostChosen: it is free");
}

TEST_CASE("what they have not done in time is told once, and forgotten when they do it", "[shadow]") {
  Beside site;
  site.want(R"("new")");
  site.pass(59s);
  CHECK(site.book.differences().empty());
  site.pass(2s);
  site.only(Outcome::notDone);
  REQUIRE(site.book.differences().size() == 1);
  CHECK(site.book.differences().front().fields.front().theirs == R"("old")");
  site.want(R"("new")");
  site.pass(10min);
  site.only(Outcome::notDone);
  site.book.seen(kMachine, machine("2", R"({"a":"new"})"), Book::Sight::watched);
  CHECK(site.count(Outcome::agreed) == 1);
  CHECK(site.book.differences().empty());
}

TEST_CASE("what is not wanted again of an object that has changed is withdrawn", "[shadow]") {
  Beside site;
  site.want(R"("new")");
  site.book.seen(kMachine, machine("2", R"({"a":"old","b":"user"})", "kubectl"), Book::Sight::watched);
  SECTION("after two minutes, for hosts are looked at each minute") {
    site.pass(119s);
    CHECK(site.count(Outcome::withdrawn) == 0);
    site.pass(2s);
    site.only(Outcome::withdrawn);
    CHECK(site.book.pending() == 0);
  }
  SECTION("soon when something else is wanted") {
    site.pass(6s);
    site.want(R"("c")", "2", "spec.c");
    CHECK(site.count(Outcome::withdrawn) == 0);  // it may still come in this pass
    site.pass(6s);
    site.only(Outcome::withdrawn);
    CHECK(site.book.pending() == 1);
  }
  SECTION("but not when it is wanted again") {
    site.pass(6s);
    site.want(R"("new")", "2");
    site.pass(5min);
    site.only(Outcome::notDone);
  }
}

TEST_CASE("what they do and Ingot had not decided is not foreseen, unless there was no time to", "[shadow]") {
  struct Row {
    const char* manager;
    base::Duration rest;
    bool wanted;  // something else of the object
    std::optional<Outcome> outcome;
  };
  const Row rows[] = {
      {kTheirs, 5s, false, Outcome::notForeseen}, {kTheirs, 1s, false, Outcome::notCompared},
      {kTheirs, 5s, true, Outcome::notCompared},  // beyond the first step, which is all that can be decided here
      {"kubectl", 5s, false, std::nullopt},       {"ingot", 5s, false, std::nullopt},
  };
  for (const Row& row : rows) {
    CAPTURE(row.manager, row.rest.count(), row.wanted);
    Beside site;
    site.book.seen(kMachine, machine("2", R"({"a":"old","u":"user"})", "kubectl"), Book::Sight::watched);
    site.pass(row.rest);
    if (row.wanted) site.want(R"("new")", "2");
    site.book.seen(kMachine, machine("3", R"({"a":"old","u":"user","b":"theirs"})", row.manager), Book::Sight::watched);
    CHECK(site.book.differences().size() == (row.outcome == Outcome::notForeseen ? 1 : 0));
    CHECK(site.count(Outcome::notForeseen) == (row.outcome == Outcome::notForeseen ? 1 : 0));
    CHECK(site.count(Outcome::notCompared) == (row.outcome == Outcome::notCompared ? 1 : 0));
  }
}

TEST_CASE("what was decided on a version that had just gone was foreseen after all", "[shadow]") {
  Beside site;
  site.book.seen(kMachine, machine("2", R"({"a":"theirs"})"), Book::Sight::watched);
  CHECK(site.book.differences().size() == 1);
  site.want(R"("new")", "1");
  CHECK(site.book.differences().empty());
  CHECK(site.count(Outcome::notCompared) == 1);
  CHECK(site.book.pending() == 0);
}

TEST_CASE("what came long before such a decision stays unforeseen, also when the clock was put back", "[shadow]") {
  Beside site;
  site.book.seen(kMachine, machine("2", R"({"a":"theirs"})"), Book::Sight::watched);
  site.pass(1min);
  site.clock.stepWall(-1h);
  site.want(R"("new")", "1");
  CHECK(site.book.differences().size() == 1);
}

TEST_CASE("an object that both make is compared by its fields", "[shadow]") {
  Beside site;
  site.wantAddress();
  SECTION("the same") {
    site.book.seen(kAddress, address("5"), Book::Sight::watched);
    site.only(Outcome::agreed);
    CHECK(site.book.pending() == 0);
  }
  SECTION("another address") {
    auto theirs = address("5");
    theirs.at("spec").as_object()["address"] = "10.0.0.11";
    site.book.seen(kAddress, theirs, Book::Sight::watched);
    CHECK(site.count(Outcome::differs) == 1);
    CHECK(site.book.differences().front().fields.front() ==
          Difference::Field{"spec.address", std::nullopt, R"("10.0.0.11")", R"("10.0.0.10")"});
  }
  SECTION("they make none") {
    site.pass(61s);
    site.only(Outcome::notDone);
  }
  SECTION("what it is for goes on without it") {
    site.pass(1s);
    site.book.seen(kMachine, machine("2", R"({"a":"old","b":"x"})", "kubectl"), Book::Sight::watched);
    site.pass(3min);
    CHECK(site.count(Outcome::withdrawn) == 1);
    CHECK(site.book.pending() == 0);
  }
}

TEST_CASE("an object that they alone make is not foreseen, when what it belongs to has rested", "[shadow]") {
  Beside site;
  SECTION("rested") {
    site.book.seen(kAddress, address("5"), Book::Sight::watched);
    site.only(Outcome::notForeseen);
    CHECK(site.book.differences().front().controller == "ipam");
    CHECK(site.book.differences().front().fields ==
          std::vector<Difference::Field>{{"", std::nullopt, "true", std::nullopt}});
  }
  SECTION("its owner has just changed") {
    site.book.seen(kMachine, machine("2", R"({"a":"old","b":"x"})", "kubectl"), Book::Sight::watched);
    site.book.seen(kAddress, address("5"), Book::Sight::watched);
    site.only(Outcome::notCompared);
  }
  SECTION("it was there from the start") {
    site.book.seen(kAddress, address("5"), Book::Sight::listed);
    CHECK(site.book.counts().empty());
  }
  SECTION("a user's") {
    site.book.seen(kAddress, address("5", "kubectl"), Book::Sight::watched);
    CHECK(site.book.counts().empty());
  }
}

TEST_CASE("what they change is not foreseen when all that the object hangs on has rested", "[shadow]") {
  const ObjectId pool{"", "ippools.ipam.metal3.io", {"metal", "p"}};
  const ObjectId host{"", "baremetalhosts.metal3.io", {"metal", "h"}};
  const ObjectId remediation{"", "metal3remediations.infrastructure.cluster.x-k8s.io", {"metal", "r"}};
  const ObjectId node{"workload", "nodes", {"", "n"}};
  const auto named = [](const std::string& name, const std::string& version, const std::string& rest) {
    return json::parse(fmt::format(
        R"({{"metadata":{{"namespace":"metal","name":"{}","resourceVersion":"{}","managedFields":[
          {{"manager":"{}","time":"2026-11-22T04:23:18Z","fieldsV1":{{"f:spec":{{}}}}}}]}},{}}})",
        name, version, kTheirs, rest));
  };
  struct Row {
    std::string what;
    ObjectId changed, object;
    std::string before, after;  // of the object
    Outcome outcome;
  };
  const std::string ofMachine = R"("spec":{"a":"old","hostName":"metal/h","pool":"p","b":"x"})";
  const Row rows[] = {
      {"nothing", ObjectId(), pool, R"("spec":{})", R"("spec":{"a":"x"})", Outcome::notForeseen},
      {"what it names", pool, remediation, R"("spec":{"pool":"p"})", R"("spec":{"pool":"p","a":"x"})",
       Outcome::notCompared},
      {"what it named", pool, remediation, R"("spec":{"pool":"p"})", R"("spec":{"a":"x"})", Outcome::notCompared},
      {"its machine", kMachine, remediation, R"("spec":{"of":"m"})", R"("spec":{"of":"m","a":"x"})",
       Outcome::notCompared},
      {"its machine's host", host, remediation, R"("spec":{"of":"m"})", R"("spec":{"of":"m","a":"x"})",
       Outcome::notCompared},
      {"its machine's pool, of many", pool, remediation, R"("spec":{"of":"m"})", R"("spec":{"of":"m","a":"x"})",
       Outcome::notForeseen},
      {"another namespace's", pool, remediation, R"("spec":{"pool":"other/p"})", R"("spec":{"pool":"other/p","a":"x"})",
       Outcome::notForeseen},
      {"a Node's host", host, node, R"("spec":{"providerID":"metal3://metal/h/m"})",
       R"("spec":{"providerID":"metal3://metal/h/m","unschedulable":true})", Outcome::notCompared},
      {"a Node's, with nothing of ours", host, node, R"("spec":{"providerID":"aws://metal/h/m"})",
       R"("spec":{"providerID":"aws://metal/h/m","unschedulable":true})", Outcome::notForeseen},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    Beside site;
    site.book.seen(
        kMachine,
        json::parse(R"({"metadata":{"namespace":"metal","name":"m","resourceVersion":"2"},)" + ofMachine + "}"),
        Book::Sight::listed);
    site.book.seen(pool, named("p", "2", R"("spec":{})"), Book::Sight::listed);
    site.book.seen(host, named("h", "2", R"("spec":{})"), Book::Sight::listed);
    site.book.seen(row.object, named(row.object.key.name, "3", row.before), Book::Sight::listed);
    site.pass(10s);
    auto before = site.book.counts();
    if (!row.changed.resource.empty()) {
      const bool isMachine = row.changed == kMachine;
      auto changed = named(row.changed.key.name, "4", isMachine ? ofMachine : R"("spec":{})");
      changed.at("metadata").as_object()["annotations"] = {{"site/note", "x"}};
      changed.at("metadata").as_object()["managedFields"] = json::Array{
          {{"manager", "kubectl"}, {"time", "2026-11-22T04:23:18Z"}, {"fieldsV1", {{"f:metadata", json::Object()}}}}};
      site.book.seen(row.changed, changed, Book::Sight::watched);
      before = site.book.counts();
    }
    site.book.seen(row.object, named(row.object.key.name, "5", row.after), Book::Sight::watched);
    std::uint64_t of = 0, all = 0;
    for (const auto& [what, times] : site.book.counts()) {
      const auto was = before.find(what);
      const auto more = times - (was == before.end() ? 0 : was->second);
      all += more;
      if (what.second == row.outcome) of += more;
    }
    CHECK(all == 1);
    CHECK(of == 1);
  }
}

TEST_CASE("a deletion is agreed on when the object is to go, or is gone", "[shadow]") {
  Beside site;
  site.book.decided({.controller = "metal3machine",
                     .verb = "delete",
                     .object = kMachine,
                     .kind = "Metal3Machine",
                     .version = "1",
                     .fields = {{std::string(leaving), std::nullopt, "true"}},
                     .reason = ""});
  SECTION("to go") {
    auto object = machine("2", R"({"a":"old"})");
    object.at("metadata").as_object()["deletionTimestamp"] = "2026-11-22T04:23:18Z";
    site.book.seen(kMachine, object, Book::Sight::watched);
  }
  SECTION("gone") { site.book.gone(kMachine); }
  site.only(Outcome::agreed);
}

TEST_CASE("what was wanted of an object that has gone is withdrawn", "[shadow]") {
  Beside site;
  site.want(R"("new")");
  site.book.gone(kMachine);
  site.only(Outcome::withdrawn);
  CHECK(site.book.pending() == 0);
}

TEST_CASE("an id that nobody has given is no difference", "[shadow]") {
  Beside site;
  site.want("\"" + std::string(madeUp) + "1234\"");
  site.book.seen(kMachine, machine("2", R"({"a":"theirs"})"), Book::Sight::watched);
  site.only(Outcome::agreed);
}

TEST_CASE("of what is not followed nothing is waited for", "[shadow]") {
  Beside site;
  site.book.decided({.controller = "host",
                     .verb = "create",
                     .object = {"", "configmaps", {"metal", "c"}},
                     .kind = "ConfigMap",
                     .version = "",
                     .fields = {{"", std::nullopt, "true"}},
                     .reason = ""});
  site.only(Outcome::notCompared);
  CHECK(site.book.pending() == 0);
}

TEST_CASE("a book is bounded, the oldest goes, and is counted", "[shadow]") {
  Beside site({.fieldsOfObject = 2, .objects = 3, .differences = 4});
  SECTION("fields of an object") {
    for (const char* path : {"spec.a", "spec.b", "spec.c"}) site.want(R"("new")", "1", path);
    CHECK(site.book.dropped() == 1);
  }
  SECTION("objects") {
    for (int i = 0; i < 5; ++i)
      site.book.decided({.controller = "ipam",
                         .verb = "create",
                         .object = {"", kAddress.resource, {"metal", fmt::format("a{}", i)}},
                         .kind = "IPAddress",
                         .version = "",
                         .fields = {{"", std::nullopt, "true"}},
                         .reason = ""});
    CHECK(site.book.pending() == 3);
    CHECK(site.book.dropped() == 2);
  }
  SECTION("differences") {
    for (int i = 2; i < 8; ++i) {
      site.pass(6s);
      site.book.seen(kMachine, machine(fmt::format("{}", i), fmt::format(R"({{"a":"{}"}})", i)), Book::Sight::watched);
    }
    CHECK(site.book.differences().size() == 4);
    CHECK(site.book.differences().front().version == "4");
    CHECK(site.book.dropped() == 2);
  }
}

}  // namespace
}  // namespace ingot::tests
