// What a shadow does not believe for longer than it is so.
#include "tests/coordinator/shadow/beside.hpp"

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using namespace coordinator::shadow;
using namespace shadowed;

json::Value leavingMachine(const std::string& version) {
  auto object = machine(version, R"({"a":"old"})");
  object.at("metadata").as_object()["deletionTimestamp"] = "2026-11-22T04:23:18Z";
  return object;
}

TEST_CASE("Cluster API's provider of 1.9 to 1.11 is known by the name that it has there", "[shadow]") {
  Beside site;
  SECTION("what it writes otherwise is a difference") {
    site.want(R"("new")");
    site.book.seen(kMachine, machine("2", R"({"a":"other"})", "controllerName"), Book::Sight::watched);
    site.only(Outcome::differs);
  }
  SECTION("and what nobody had decided is not foreseen") {
    site.book.seen(kMachine, machine("2", R"({"a":"other"})", "controllerName"), Book::Sight::watched);
    site.only(Outcome::notForeseen);
  }
  CHECK(site.book.others().empty());
}

TEST_CASE("what Cluster API writes is not taken for its provider's work, though both may be called manager",
          "[shadow]") {
  Beside site;
  const ObjectId machines{"", "machines.cluster.x-k8s.io", {"metal", "m"}};
  const ObjectId metal{"", kMachine.resource, {"metal", "unnamed"}};
  const ObjectId claims{"", "ipclaims.ipam.metal3.io", {"metal", "c"}};
  const ObjectId hosts{"", "baremetalhosts.metal3.io", {"metal", "h"}};
  const auto written = [&](const ObjectId& id) {
    const auto before = site.count(Outcome::notForeseen);
    site.book.seen(id, machine("1", R"({"a":"old"})", "manager"), Book::Sight::listed);
    site.pass(6s);
    site.book.seen(id, machine("2", R"({"a":"new"})", "manager"), Book::Sight::watched);
    site.pass(6s);
    return site.count(Outcome::notForeseen) > before;
  };
  SECTION("beside a provider with a name of its own") {  // that of kMachine
    CHECK_FALSE(written(machines));
    CHECK_FALSE(written(metal));
    CHECK_FALSE(written(hosts));
    CHECK(written(claims));
    CHECK(site.book.others().at("manager") == 3);
  }
  SECTION("where nobody has one it may be the provider") {
    Book book(site.clock, "salt", {});
    const auto toldBy = [&](const ObjectId& id) {
      book.seen(id, machine("1", R"({"a":"old"})", "manager"), Book::Sight::listed);
      site.clock.advance(6s);
      const auto before = book.differences().size();
      book.seen(id, machine("2", R"({"a":"new"})", "manager"), Book::Sight::watched);
      return book.differences().size() > before;
    };
    CHECK(toldBy(metal));
    CHECK(toldBy(hosts));
    CHECK_FALSE(toldBy(machines));
    const auto taints = [](const char* version) {
      return json::parse(fmt::format(
          R"({{"metadata":{{"resourceVersion":"{}","managedFields":[{{"manager":"manager","time":"2026-11-22T04:23:18Z",
              "fieldsV1":{{"f:spec":{{}}}}}}]}},"spec":{{"taints":"{}"}}}})",
          version, version));
    };
    const ObjectId node{"https://one.test", "nodes", {"", "n"}};
    book.seen(node, taints("1"), Book::Sight::listed);
    site.clock.advance(6s);
    const auto before = book.differences().size();
    book.seen(node, taints("2"), Book::Sight::watched);
    CHECK(book.differences().size() == before);
  }
  SECTION("a workload cluster does not say who is who") {
    Book book(site.clock, "salt", {});
    book.seen({"https://one.test", "nodes", {"", "n"}}, machine("1", "{}", kTheirs), Book::Sight::listed);
    book.seen(metal, machine("1", R"({"a":"old"})", "manager"), Book::Sight::listed);
    site.clock.advance(6s);
    book.seen(metal, machine("2", R"({"a":"new"})", "manager"), Book::Sight::watched);
    CHECK(book.differences().size() == 1);
  }
}

// A machine whose annotation a user owns, and whose status theirs wrote then.
json::Value annotated(const std::string& version, bool isThere, const std::string& writtenAt) {
  return json::parse(fmt::format(
      R"({{"metadata":{{"namespace":"metal","name":"m","resourceVersion":"{}","annotations":{{{}}},"managedFields":[
        {{"manager":"kubectl","time":"2026-11-22T04:23:20Z","fieldsV1":{{"f:metadata":{{{}"f:labels":{{"f:y":{{}}}}}}}}}},
        {{"manager":"{}","time":"{}","fieldsV1":{{"f:status":{{}}}}}}]}},"status":{{"lastUpdated":"{}"}}}})",
      version, isThere ? R"("x":"y")" : "", isThere ? R"("f:annotations":{"f:x":{}},)" : "", kTheirs, writtenAt,
      writtenAt));
}

TEST_CASE("what somebody removed, nobody can say who, is nobody's", "[shadow]") {
  constexpr const char *earlier = "2026-11-22T04:23:30Z", *later = "2026-11-22T04:30:00Z";
  Beside site;
  site.book.seen(kMachine, annotated("2", true, earlier), Book::Sight::watched);
  site.pass(2min);
  const auto compared = site.count(Outcome::notCompared), unforeseen = site.count(Outcome::notForeseen);
  SECTION("it is only counted") {
    site.book.seen(kMachine, annotated("3", false, earlier), Book::Sight::watched);
    CHECK(site.count(Outcome::notCompared) == compared + 1);
    CHECK(site.count(Outcome::notForeseen) == unforeseen);
  }
  SECTION("of who wrote something with it, it is told") {
    site.book.seen(kMachine, annotated("3", false, later), Book::Sight::watched);
    CHECK(site.count(Outcome::notForeseen) == unforeseen + 1);
    CHECK(site.book.differences().back().manager == kTheirs);
  }
  SECTION("where something else was wanted it is withdrawn") {
    site.want(R"("z")", "2", "metadata.annotations.x");
    site.book.seen(kMachine, annotated("3", false, earlier), Book::Sight::watched);
    CHECK(site.count(Outcome::withdrawn) == 1);
    CHECK(site.count(Outcome::differs) == 0);
  }
}

TEST_CASE("who was taken for somebody else is counted by name", "[shadow]") {
  Beside site;
  site.want(R"("new")");
  site.book.seen(kMachine, machine("2", R"({"a":"other"})", "renamed-manager"), Book::Sight::watched);
  site.book.seen(kMachine, machine("3", R"({"a":"other","b":"x"})", "renamed-manager"), Book::Sight::watched);
  site.book.seen(kMachine, machine("4", R"({"a":"other","b":"y"})"), Book::Sight::watched);
  CHECK(site.book.others() == std::map<std::string, std::uint64_t>{{"renamed-manager", 2}});
}

TEST_CASE("of many that were taken for somebody else those with most writes are named, and the rest is counted",
          "[shadow]") {
  Beside site;
  int version = 1;
  const auto write = [&](const std::string& manager) {
    ++version;
    site.book.seen(kMachine, machine(std::to_string(version), fmt::format(R"({{"a":"{}"}})", version), manager),
                   Book::Sight::watched);
  };
  for (int i = 0; i < 64; ++i)
    for (int times = 0; times < 2; ++times) write(fmt::format("tool-{}", i));
  for (int times = 0; times < 5; ++times) write("renamed-manager");
  CHECK(site.book.others().size() == 64);
  CHECK(site.book.others().at("renamed-manager") == 5);
  CHECK(site.book.othersLeftOut() == 1);
  for (int i = 0; i < 200; ++i) write(fmt::format("once-{}", i));
  CHECK(site.book.others().at("renamed-manager") == 5);
  CHECK(site.book.othersLeftOut() == 201);
}

TEST_CASE("what is still wanted elsewhere in an object does not make all else foreseen", "[shadow]") {
  Beside site;
  SECTION("for ever") {
    site.want(R"("new")", "1", "spec.c");
    site.pass(10min);
  }
  SECTION("nor in another part of it") {
    site.want(R"("new")", "1", "status.c");
    site.pass(6s);
  }
  site.book.seen(kMachine, machine("2", R"({"a":"old","b":"theirs"})"), Book::Sight::watched);
  CHECK(site.count(Outcome::notForeseen) == 1);
}

TEST_CASE("what they delete on their own is not foreseen", "[shadow]") {
  Beside site;
  site.book.seen(kAddress, address("5"), Book::Sight::listed);
  SECTION("with a step between") {
    site.pass(6s);
    auto object = address("6");
    object.at("metadata").as_object()["deletionTimestamp"] = "2026-11-22T04:23:18Z";
    site.book.seen(kAddress, object, Book::Sight::watched);
    site.only(Outcome::notForeseen);
    site.book.gone(kAddress);
  }
  SECTION("or at once") {
    site.pass(6s);
    site.book.gone(kAddress);
  }
  site.only(Outcome::notForeseen);
  CHECK(site.book.differences().front().reason == "deleted");
  CHECK(site.book.differences().front().object == kAddress);
}

TEST_CASE("a deletion that Metal3 may not have made, or not alone, is no difference", "[shadow]") {
  Beside site;
  site.book.seen(kAddress, address("5"), Book::Sight::listed);
  SECTION("its owner goes") {
    site.book.seen(kMachine, leavingMachine("2"), Book::Sight::watched);
    site.pass(6s);
    site.book.gone(kAddress);
  }
  SECTION("a user's object") {
    site.pass(6s);
    site.book.gone(kMachine);
  }
  SECTION("there was no time to decide") {
    site.book.seen(kMachine, machine("2", R"({"a":"old","b":"x"})", "kubectl"), Book::Sight::watched);
    site.book.gone(kAddress);
  }
  CHECK(site.count(Outcome::notForeseen) == 0);
  CHECK(site.book.differences().empty());
}

TEST_CASE("an object that goes with the last finalizer, as wanted, is agreed on", "[shadow]") {
  Beside site;
  site.book.seen(kMachine, leavingMachine("2"), Book::Sight::watched);
  site.book.decided({.controller = "metal3machine",
                     .verb = "update",
                     .object = kMachine,
                     .kind = "Metal3Machine",
                     .version = "2",
                     .fields = {{"metadata.finalizers[x]", "true", std::nullopt}},
                     .reason = ""});
  site.book.gone(kMachine);
  site.only(Outcome::agreed);
}

TEST_CASE("a line of what is not done goes when something else is wanted", "[shadow]") {
  Beside site;
  site.want(R"("new")");
  site.pass(61s);
  REQUIRE(site.book.differences().size() == 1);
  site.want(R"("newer")");
  CHECK(site.book.differences().empty());
  site.pass(61s);
  REQUIRE(site.book.differences().size() == 1);
  CHECK(site.book.differences().front().fields.front().ours == R"("newer")");
}

TEST_CASE("two writes of one controller to one object in each pass leave each other alone", "[shadow]") {
  Beside site;
  for (int looks = 0; looks < 3; ++looks) {
    site.want(R"("new")");
    site.want(R"("new")", "1", "spec.c");
    site.pass(1min);
  }
  CHECK(site.count(Outcome::withdrawn) == 0);
  CHECK(site.count(Outcome::notDone) == 1);  // both, in one line
}

TEST_CASE("what would be made for an owner that has gone is withdrawn, and forgotten", "[shadow]") {
  Beside site;
  site.wantAddress();
  site.pass(61s);
  CHECK(site.book.differences().size() == 1);
  site.book.gone(kMachine);
  site.pass(2s);
  CHECK(site.count(Outcome::withdrawn) == 1);
  CHECK(site.book.differences().empty());
  CHECK(site.book.known() == 0);
}

TEST_CASE("a list of all drops what it lacks", "[shadow]") {
  Beside site;
  site.book.seen(kAddress, address("5"), Book::Sight::listed);
  const ObjectId kind{"", kMachine.resource, {}};
  SECTION("it went while nobody watched") {
    site.want(R"("new")");
    site.book.listed(kind, {}, "7");
    site.only(Outcome::withdrawn);
    CHECK(site.book.known() == 1);
  }
  SECTION("it is there") { site.book.listed(kind, {kMachine.key}, "7"); }
  SECTION("it is newer than the list") { site.book.listed(kind, {}, "1"); }
  SECTION("the list is of another namespace") { site.book.listed({"", kMachine.resource, {"other", ""}}, {}, "7"); }
  CHECK(site.book.known() == (site.count(Outcome::withdrawn) == 1 ? 1 : 2));
}

TEST_CASE("a new term begins some time after something came out otherwise", "[shadow]") {
  Beside site;
  site.want(R"("new")");
  site.pass(10min);
  CHECK(site.book.wantsNewTerm());
  site.book.beginTerm();
  CHECK_FALSE(site.book.wantsNewTerm());
  SECTION("what is not wanted again in it is withdrawn") {
    site.pass(119s);
    CHECK(site.count(Outcome::withdrawn) == 0);
    site.pass(2s);
    CHECK(site.count(Outcome::withdrawn) == 1);
    CHECK(site.book.differences().empty());
    site.pass(2h);
    CHECK_FALSE(site.book.wantsNewTerm());
  }
  SECTION("what is wanted again stands, is told once, and asked for now and then") {
    site.want(R"("new")");
    site.pass(29min);
    CHECK_FALSE(site.book.wantsNewTerm());
    site.only(Outcome::notDone);
    site.pass(2min);
    CHECK(site.book.wantsNewTerm());
  }
}

// A controller takes for done what it wrote, and wants the next one.
TEST_CASE("choices that change though nobody did anything wait as one, and each of them may be theirs", "[shadow]") {
  Beside site;
  site.want(R"("a")");
  site.pass(30s);
  site.want(R"("b")");
  SECTION("theirs is the first") {
    site.book.seen(kMachine, machine("2", R"({"a":"a"})"), Book::Sight::watched);
    site.only(Outcome::agreed);
  }
  SECTION("theirs is none of them") {
    site.book.seen(kMachine, machine("2", R"({"a":"c"})"), Book::Sight::watched);
    site.only(Outcome::differs);
  }
  SECTION("they do nothing") {
    site.pass(31s);
    site.only(Outcome::notDone);
  }
}

// As real machines tell it: 24 disks, 8 cards, 128 threads. Ten thousand of these would be 200 MB of text.
TEST_CASE("of ten thousand hosts with their hardware a shadow keeps less than twenty megabytes of text", "[shadow]") {
  Loop loop;
  Book book(loop.clock, "salt", {});
  json::Array disks, cards, flags;
  for (int i = 0; i < 24; ++i)
    disks.push_back(json::parse(fmt::format(
        R"({{"name":"/dev/disk/by-path/pci-0000:18:00.0-nvme-{}","model":"MZQL23T8HCLS-00A07","serialNumber":"S64HNE0T{}",
            "sizeBytes":3840755982336,"vendor":"Samsung","wwn":"eui.3634483054400000{}","hctl":"0:0:{}:0","type":"NVME"}})",
        i, i, i, i)));
  for (int i = 0; i < 8; ++i)
    cards.push_back(json::parse(fmt::format(
        R"({{"name":"ens{}f0","mac":"52:54:00:00:00:0{}","ip":"10.0.0.{}","model":"0x15b3 0x1017","speedGbps":25,"vlanId":0}})",
        i, i, i)));
  for (int i = 0; i < 128; ++i) flags.push_back(json::Value(fmt::format("avx512_flag_{}", i)));
  json::Value host = json::parse(R"({"kind":"BareMetalHost","metadata":{"namespace":"n"},
    "spec":{"online":true,"bmc":{"address":"redfish://10.0.0.1/redfish/v1/Systems/1","credentialsName":"x"}},
    "status":{"hardware":{"cpu":{"arch":"x86_64","count":128},"ramMebibytes":1048576}}})");
  auto& hardware = host.at("status").at("hardware").as_object();
  hardware["storage"] = std::move(disks);
  hardware["nics"] = std::move(cards);
  hardware["cpu"].as_object()["flags"] = std::move(flags);
  const std::size_t whole = json::serialize(host).size();
  for (int i = 0; i < 10'000; ++i) {
    const ObjectId id{"", "baremetalhosts.metal3.io", {"n", fmt::format("h{}", i)}};
    host.at("metadata").as_object()["name"] = id.key.name;
    host.at("metadata").as_object()["resourceVersion"] = std::to_string(i + 1);
    book.seen(id, host, Book::Sight::listed);
  }
  CAPTURE(whole, book.keptBytes());
  CHECK(book.known() == 10'000);
  CHECK(whole > 8'000);
  CHECK(book.keptBytes() < 20'000'000);
}

}  // namespace
}  // namespace ingot::tests
