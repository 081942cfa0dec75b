// Systems that share a manager, and with it its virtual drives (spec/bmc.md §8.1).
#include "base/sync.hpp"
#include "bmc/boot_preparation.hpp"
#include "tests/bmc/redfish_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;
using bmc::Error;

namespace {

const std::string liveIso = "http://images/live.iso", othersIso = "http://images/others.iso";

// Two systems, A and B, behind one manager that has a virtual CD drive.
struct SharedBench : RedfishBench {
  SharedBench() {
    showSystem("A");
    showSystem("B");
    share();
    fake.documents["/m/vm"] = R"({"Members":[{"@odata.id":"/m/vm/cd"}]})";
    fake.documents["/own"] = R"({"Members":[{"@odata.id":"/own/cd"}]})";
    fake.instead = [this](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
      const std::string path(request.path());
      const bool isOwn = path.starts_with("/own/cd");
      if (!isOwn && !path.starts_with("/m/vm/cd")) return std::nullopt;
      auto& held = isOwn ? ownImage : image;
      if (request.method == "GET") return show(isOwn ? "/own/cd" : "/m/vm/cd", hides ? "" : held);
      const bool isInsertion = path.ends_with("/in");
      if (isInsertion && refusal > 0) return net::HttpResponse{.status = refusal, .body = "{}"};
      held = isInsertion ? json::textAt(json::parse(request.body), {"Image"}) : "";
      return net::HttpResponse{.status = 204};
    };
    use("A");
  }
  void share() { serve(R"({"@odata.id":"/redfish/v1/Systems/A"},{"@odata.id":"/redfish/v1/Systems/B"})"); }
  void showSystem(const std::string& id, const std::string& more = "", const std::string& target = "Pxe",
                  const std::string& enabled = "Once") {
    fake.documents["/redfish/v1/Systems/" + id] =
        fmt::format(R"({{"Id":"{}","PowerState":"Off","Links":{{"ManagedBy":[{{"@odata.id":"/m"}}]}},"Boot":{{)"
                    R"("BootSourceOverrideTarget":"{}","BootSourceOverrideEnabled":"{}"}}{}}})",
                    id, target, enabled, more);
  }
  // What the manager says that it is the manager of.
  void serve(const std::string& servers) {
    fake.documents["/m"] =
        fmt::format(R"({{"VirtualMedia":{{"@odata.id":"/m/vm"}},"Links":{{"ManagerForServers":[{}]}}}})", servers);
  }
  static net::HttpResponse show(const std::string& path, const std::string& held) {
    return {.status = 200,
            .body = fmt::format(R"({{"Id":"1","MediaTypes":["CD"],"Image":"{1}","Inserted":{2},"Actions":{{)"
                                R"("#VirtualMedia.InsertMedia":{{"target":"{0}/in"}},)"
                                R"("#VirtualMedia.EjectMedia":{{"target":"{0}/out"}}}}}})",
                                path, held, !held.empty())};
  }
  void use(const std::string& system) {
    if (driver) run(driver->close());
    driver = open("s3cret", "redfish://bmc.example/redfish/v1/Systems/" + system);
  }
  void insert() { run(driver->media->insertMedia(bmc::Lane::operatorCommand, liveIso, {})); }
  void eject() { run(driver->media->ejectMedia(bmc::Lane::operatorCommand, {})); }
  std::string inserted() { return run(driver->media->insertedMedia(bmc::Lane::operatorCommand)); }

  std::string image, ownImage;  // in the manager's drive and in the system's own, where it shows one
  bool hides = false;           // what is in them
  int refusal = 0;              // of insertions; 0: they are taken
};

}  // namespace

TEST_CASE("the drive of a manager that serves several systems is none of one of them", "[media]") {
  SharedBench bench;
  bench.image = othersIso;  // which A boots
  bench.use("B");
  const std::string why =
      "/redfish/v1/Systems/B has no virtual CD drive of its own: those there are belong to /m, which is "
      "the manager of 2 systems";
  CHECK(bench.failureOf([&] { bench.eject(); }) == Error::Code::unsupported);
  CHECK_THAT(bench.text, Catch::StartsWith(why));
  CHECK(bench.failureOf([&] { bench.insert(); }) == Error::Code::unsupported);
  CHECK_THAT(bench.text, Catch::StartsWith(why));
  CHECK(bench.inserted().empty());
  CHECK(bench.image == othersIso);
}

TEST_CASE("a system that boots from the network or its disk leaves the drive of the others as it is", "[media]") {
  const auto [device, target, enabled] =
      GENERATE(table<bmc::BootDevice, std::string, std::string>({{bmc::BootDevice::pxe, "Pxe", "Once"},
                                                                 {bmc::BootDevice::disk, "Hdd", "Once"},
                                                                 {bmc::BootDevice::none, "None", "Disabled"}}));
  SharedBench bench;
  bench.showSystem("B", "", target, enabled);
  bench.image = othersIso;
  bench.use("B");
  bench.run(bmc::prepareBoot({*bench.driver->power, *bench.driver->boot, bench.driver->media},
                             bmc::Lane::operatorCommand, {.setting = {device, false, std::nullopt}}, {}));
  CHECK(bench.image == othersIso);
}

TEST_CASE("a system with a drive of its own leaves the one that it shares", "[media]") {
  SharedBench bench;
  bench.showSystem("A", R"(,"VirtualMedia":{"@odata.id":"/own"})");
  bench.image = othersIso;
  bench.insert();
  CHECK(bench.inserted() == liveIso);
  CHECK(bench.ownImage == liveIso);
  CHECK(bench.image == othersIso);
  bench.eject();
  CHECK(bench.ownImage.empty());
  CHECK(bench.image == othersIso);
}

TEST_CASE("the drive of a manager that serves this system alone, or does not say, is the system's", "[media]") {
  SharedBench bench;
  SECTION("this one") { bench.serve(R"({"@odata.id":"/redfish/v1/Systems/A/"})"); }
  SECTION("this one, twice") {
    bench.serve(R"({"@odata.id":"/redfish/v1/Systems/A"},{"@odata.id":"/redfish/v1/Systems/A/"})");
  }
  SECTION("and the board of its accelerators") {
    bench.serve(R"({"@odata.id":"/redfish/v1/Systems/HGX_Baseboard_0"},{"@odata.id":"/redfish/v1/Systems/A"})");
  }
  SECTION("none that it names") { bench.serve(""); }
  SECTION("no list") { bench.fake.documents["/m"] = R"({"VirtualMedia":{"@odata.id":"/m/vm"}})"; }
  bench.image = othersIso;
  bench.insert();
  CHECK(bench.inserted() == liveIso);
  CHECK(bench.image == liveIso);
  bench.eject();
  CHECK(bench.image.empty());
}

TEST_CASE("the image of a system in a drive that others share since is taken out with it, and no other's", "[media]") {
  SharedBench bench;
  const bool isShared = GENERATE(true, false);
  bench.serve(R"({"@odata.id":"/redfish/v1/Systems/A"})");
  bench.insert();
  if (isShared) bench.share();
  SECTION("it is there still") {
    bench.eject();
    CHECK(bench.image.empty());
    if (!isShared) return;
    bench.image = liveIso;  // it is somebody else's from now on
    CHECK(bench.failureOf([&] { bench.eject(); }) == Error::Code::unsupported);
    CHECK(bench.image == liveIso);
  }
  SECTION("another is there") {
    if (!isShared) return;
    bench.image = othersIso;
    CHECK(bench.failureOf([&] { bench.eject(); }) == Error::Code::unsupported);
    CHECK(bench.image == othersIso);
  }
  SECTION("another is to be put in: that cannot be, and what is there is taken out") {
    if (!isShared) return;
    CHECK(bench.failureOf([&] { bench.insert(); }) == Error::Code::unsupported);
    CHECK(bench.image.empty());
  }
}

TEST_CASE("what is put into a shared drive after the image of a system has left it is another's", "[media]") {
  SharedBench bench;
  bench.serve(R"({"@odata.id":"/redfish/v1/Systems/A"})");
  bench.insert();
  bench.share();
  SECTION("it was taken out for one that could not be put in") {
    CHECK(bench.failureOf([&] { bench.insert(); }) == Error::Code::unsupported);
    REQUIRE(bench.image.empty());
  }
  SECTION("it was seen that others had taken it out") {
    bench.image = GENERATE(std::string(), othersIso);
    CHECK(bench.failureOf([&] { bench.eject(); }) == Error::Code::unsupported);
  }
  bench.image = liveIso;  // by hand, for the other system
  CHECK(bench.failureOf([&] { bench.eject(); }) == Error::Code::unsupported);
  CHECK(bench.image == liveIso);
}

TEST_CASE("an image that a BMC took and showed late is taken out of a drive that others share since", "[media]") {
  SharedBench bench;
  bench.serve(R"({"@odata.id":"/redfish/v1/Systems/A"})");
  SECTION("it was waited for in vain") {
    bench.hides = true;
    CHECK(bench.failureOf([&] { bench.insert(); }) == Error::Code::notReached);
  }
  SECTION("the insertion was called off") {
    bench.hides = true;
    auto insertion = bench.driver->media->insertMedia(bmc::Lane::operatorCommand, liveIso, {});
    CHECK_THROWS_AS(bench.run(base::withTimeout(bench.clock, 5s, "called off", std::move(insertion))), base::TimedOut);
  }
  bench.hides = false;
  bench.share();
  REQUIRE(bench.image == liveIso);
  bench.eject();
  CHECK(bench.image.empty());
}

TEST_CASE("an image that a drive refused is not its system's there", "[media]") {
  SharedBench bench;
  bench.serve(R"({"@odata.id":"/redfish/v1/Systems/A"})");
  bench.refusal = GENERATE(400, 403);
  CHECK(bench.failureOf([&] { bench.insert(); }) == Error::Code::refused);
  bench.share();
  bench.image = liveIso;  // by hand, for the other system
  CHECK(bench.failureOf([&] { bench.eject(); }) == Error::Code::unsupported);
  CHECK(bench.image == liveIso);
}

TEST_CASE("what a BMC calls its manager is logged without the password", "[media]") {
  SharedBench bench;
  const auto lines = std::make_shared<base::MemorySink>();
  bench.runtime.log = base::Log(lines, "bmc");
  bmc::BmcPool pool(bench.runtime, {bench.transport, bench.processes}, {});
  const auto driver = pool.open({.address = bmc::parseAddress("redfish://bmc.example/redfish/v1/Systems/A"),
                                 .login = {"admin", base::Secret("s3cret")}});
  bench.fake.documents["/redfish/v1/Managers/s3cret"] = bench.fake.documents["/m"];
  bench.showSystem("A");
  auto& system = bench.fake.documents["/redfish/v1/Systems/A"];
  system.replace(system.find(R"("/m")"), 4, R"("/redfish/v1/Managers/s3cret")");
  CHECK(bench.failureOf([&] { bench.run(driver->media->ejectMedia(bmc::Lane::operatorCommand, {})); }) ==
        Error::Code::unsupported);
  CHECK(lines->contains("belong to /redfish/v1/Managers/***"));
  CHECK_FALSE(lines->contains("s3cret"));
  bench.run(driver->close());
}
