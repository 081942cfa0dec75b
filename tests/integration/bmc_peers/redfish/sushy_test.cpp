// Our Redfish driver and the agent's session against sushy-emulator: TLS, Basic, slow power, aliases by 307
// (spec/bmc.md §20.1).
#include "net/certificates.hpp"
#include "tests/integration/bmc_peers/peer.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;
using bmc::Error;
using bmc::Power;
using bmc::PowerAction;

namespace {

constexpr auto first = "27946b59-9e44-4fa7-8e91-f3527a1ef094";
constexpr auto second = "8a1b2c3d-0000-4000-8000-0123456789ab";

// admin:s3cret, hashed with the least number of rounds.
constexpr auto passwords = "admin:$2b$04$HGCn7wlQHL5l8bOBSUHUy.O9F0E61VFTn2vjjQrJrdCCbfxdXVrvW\n";

std::string configuration(const Folder& folder, bool several) {
  const auto system = [](std::string_view uuid, std::string_view name) {
    return fmt::format(
        "{{'uuid': '{}', 'name': '{}', 'power_state': 'Off', 'external_notifier': False, "
        "'nics': [{{'mac': '00:5c:52:31:3a:9c', 'ip': '172.22.0.100'}}]}},",
        uuid, name);
  };
  return fmt::format(
      "SUSHY_EMULATOR_FAKE_DRIVER = True\nSUSHY_EMULATOR_STATE_DIR = '{}'\nSUSHY_EMULATOR_AUTH_FILE = '{}'\n"
      "SUSHY_EMULATOR_FAKE_SYSTEMS = [{}{}]\n",
      folder.at("state"), folder.at("passwords"), system(first, "rack1"), several ? system(second, "rack2") : "");
}

// The folder of the venv; installs it the first time.
std::string venv(RealWorld& world) {
  const auto result = world.run(
      world.processes->run({.argv = {"bash", INGOT_SOURCE_DIR "/tools/peers/ironic.sh"}, .deadline = 5min}), 5min);
  if (result.exitCode != 0) throw base::Error("ironic.sh: " + result.standardError);
  return result.standardOutput.substr(0, result.standardOutput.find('\n'));
}

struct Bench : PeerBench {
  explicit Bench(bool several = false) : PeerBench(SOCK_STREAM) {
    const auto authority = net::CertificateAuthority::create("peer CA", world.clock.wall());
    const auto server =
        authority.issue(net::ServerCertificate{.commonName = "peer", .ipAddresses = {"127.0.0.1"}}, world.clock.wall());
    folder.write("ca.pem", authority.certificatePem());
    folder.write("cert.pem", server.certificatePem);
    folder.write("key.pem", server.privateKeyPem.reveal());
    folder.write("passwords", passwords);
    folder.write("emulator.conf", configuration(folder, several));
    std::filesystem::create_directory(folder.at("state"));
    world.startPeer({.argv = {venv(world) + "/bin/sushy-emulator", "--fake", "--config", folder.at("emulator.conf"),
                              "-i", "127.0.0.1", "-p", std::to_string(port), "--ssl-certificate", folder.at("cert.pem"),
                              "--ssl-key", folder.at("key.pem")}});
    world.await([this] { return reach(); });
  }
  base::Task<void> reach() {
    const auto client = world.http->connect(
        {.baseUrl = fmt::format("https://127.0.0.1:{}", port), .tls = {.caFile = folder.at("ca.pem")}});
    co_await client->send({.target = "/redfish/v1/"});
  }

  [[nodiscard]] std::string address(const std::string& system = "") const {
    return fmt::format("redfish://127.0.0.1:{}{}", port, system.empty() ? "" : "/redfish/v1/Systems/" + system);
  }
  std::unique_ptr<bmc::Driver> driver(const std::string& system, const std::string& password = "s3cret",
                                      const std::string& ca = "ca.pem", bool verify = true) {
    return open({.address = bmc::parseAddress(address(system)),
                 .login = {"admin", base::Secret(password)},
                 .verifyCertificate = verify,
                 .caFile = ca.empty() ? "" : folder.at(ca)});
  }
};

}  // namespace

TEST_CASE("sushy-emulator is reached by UUID, by name, and by being the only one") {
  Bench bench;
  const auto system = GENERATE(as<std::string>{}, first, "rack1", "");
  const auto driver = bench.driver(system);
  CHECK(bench.world.run(driver->identity->identify(bmc::Lane::polling)).manufacturer == "Sushy Emulator");
  CHECK(bench.world.run(driver->power->readPower(bmc::Lane::polling)).power == Power::off);
}

TEST_CASE("among two systems one has to be named") {
  Bench bench(true);
  const auto any = bench.driver("");
  CHECK(bench.failure(*any) == Error::Code::ambiguousSystem);
  const auto one = bench.driver("rack2");
  CHECK(bench.world.run(one->power->readPower(bmc::Lane::polling)).power == Power::off);
}

TEST_CASE("power changes that take seconds are waited for and proved") {
  Bench bench;
  const auto driver = bench.driver("rack1");  // a name: each request is redirected, the POST too
  const auto change = [&](PowerAction action) { return bench.change(*driver, action); };
  CHECK(change(PowerAction::on).reading.power == Power::on);
  CHECK_FALSE(change(PowerAction::on).commandSent);
  CHECK(change(PowerAction::softOff).reading.power == Power::off);
  CHECK(change(PowerAction::on).commandSent);
  CHECK(change(PowerAction::hardOff).reading.power == Power::off);
}

TEST_CASE("what goes wrong has its own name") {
  Bench bench;
  SECTION("wrong password") {
    const auto driver = bench.driver(first, "wrong");
    CHECK(bench.failure(*driver) == Error::Code::authenticationFailed);
    CHECK(bench.text.find("wrong") == std::string::npos);
  }
  SECTION("untrusted certificate") {
    const auto driver = bench.driver(first, "s3cret", "");
    CHECK(bench.failure(*driver) == Error::Code::tls);
  }
  SECTION("untrusted, and the user does not mind") {
    const auto driver = bench.driver(first, "s3cret", "", false);
    CHECK(bench.world.run(driver->power->readPower(bmc::Lane::polling)).power == Power::off);
  }
  SECTION("nobody listens") {
    bench.port = freePort(SOCK_STREAM);
    const auto driver = bench.driver(first);
    CHECK(bench.failure(*driver) == Error::Code::unreachable);
  }
  SECTION("no such system") {
    const auto driver = bench.driver("rack9");
    CHECK(bench.failure(*driver) == Error::Code::unsupported);
  }
}

TEST_CASE("an emulator that is not ours tells its hardware, and what it does not show is named") {
  Bench bench;
  const auto driver = bench.driver(first);
  const auto found = bench.world.run(driver->inventory->readInventory(bmc::Lane::reconcile));
  CHECK(found.manufacturer == "Sushy Emulator");
  REQUIRE(found.networkCards.size() == 1);
  CHECK(found.networkCards.front().mac == "00:5c:52:31:3a:9c");
  REQUIRE(found.unread.size() == 3);  // it links to all of them
  CHECK_THAT(found.unread[0], Catch::Contains("/Memory: HTTP 404"));
  CHECK_THAT(found.unread[1], Catch::Contains("/Storage: HTTP 500"));
  CHECK_THAT(found.unread[2], Catch::Contains("/FirmwareInventory: HTTP 404"));
}

TEST_CASE("an emulator that is not ours tells what its sensors read, and what it does not show is named") {
  Bench bench;
  const auto driver = bench.driver(first);
  const auto found = bench.world.run(driver->sensors->readSensors(bmc::Lane::polling)).sensors;
  const auto intake = std::ranges::find(found.readings, 25.0, &bmc::Sensor::value);
  REQUIRE(intake != found.readings.end());
  CHECK(intake->kind == "temperature");
  CHECK(std::ranges::count(found.readings, "RPM", &bmc::Sensor::unit) >= 1);
}

TEST_CASE("an agent's session switches a real Redfish host, and reports what it reads") {
  Bench bench;
  SessionBench session(bench.world, bench.address(first), "admin", "s3cret", bench.folder.at("ca.pem"));
  session.factsWhen([](const auto& facts) { return facts.power == "Off"; });
  const auto on = session.command("on");
  CHECK(on.outcome == "done");
  CHECK(on.power == "On");
  CHECK(session.command("hard-reboot").power == "On");
  CHECK(session.command("hard-off").power == "Off");
}

TEST_CASE("what a system of an emulator that is not ours boots from is set, and shown by it") {
  Bench bench;
  const auto driver = bench.driver(first);
  const auto set = [&](bmc::BootSetting setting) {
    return bench.world.run(driver->boot->setBoot(bmc::Lane::operatorCommand, setting, {}));
  };
  static_cast<void>(set({.device = bmc::BootDevice::pxe}));  // it is read back
  CHECK(set({bmc::BootDevice::cdrom, true, bmc::BootMode::uefi}) == bmc::BootLasts::always);
  static_cast<void>(set({.device = bmc::BootDevice::disk}));
}

TEST_CASE("an image is inserted into the drive of an emulator that is not ours, which fetches it, and is ejected") {
  Bench bench;
  const auto images = freePort(SOCK_STREAM);
  bench.folder.write("live.iso", std::string(4096, '\0'));
  bench.world.startPeer({.argv = {"python3", "-m", "http.server", "--bind", "127.0.0.1", "--directory",
                                  bench.folder.at("."), std::to_string(images)}});
  const auto url = fmt::format("http://127.0.0.1:{}/live.iso", images);
  const auto client = bench.world.http->connect({.baseUrl = fmt::format("http://127.0.0.1:{}", images)});
  bench.world.await([&]() -> base::Task<void> { co_await client->send({.target = "/live.iso"}); });
  const auto driver = bench.driver(first);
  CHECK(bench.world.run(driver->media->insertedMedia(bmc::Lane::operatorCommand)).empty());
  bench.world.run(driver->media->insertMedia(bmc::Lane::operatorCommand, url, {}));
  CHECK(bench.world.run(driver->media->insertedMedia(bmc::Lane::operatorCommand)) == url);
  bench.world.run(
      driver->media->insertMedia(bmc::Lane::operatorCommand, url, {}));  // again: what was there is ejected first
  bench.world.run(driver->media->ejectMedia(bmc::Lane::operatorCommand, {}));
  CHECK(bench.world.run(driver->media->insertedMedia(bmc::Lane::operatorCommand)).empty());
}
