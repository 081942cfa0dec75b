#include "sim/system/systems.hpp"

#include "base/file.hpp"
#include "sim/ramdisk/partition_table.hpp"
#include "sim/system/config_drive.hpp"
#include "sim/system/iso9660.hpp"
#include "tests/sim/firstboot/user_data.hpp"
#include "tests/sim/imaged.hpp"
#include "tests/sim/kubelet/fake_api.hpp"

using namespace ingot;
using tests::Imaged;
using namespace std::chrono_literals;
using Catch::Contains;

namespace {

const std::string node = "/api/v1/nodes/edge-abc";
// Names of Rock Ridge and Joliet, as Ironic's config drives have them.
const std::vector<std::string> asIronic = {"-ldots", "-allow-lowercase", "-allow-multidot", "-l", "-J", "-r"};

// An ISO volume with a config drive's files.
std::string volume(const std::string& userData, const std::vector<std::string>& flags = asIronic,
                   const std::string& label = "config-2") {
  tests::ScratchFolder folder;
  const auto latest = folder.path + "/content/openstack/latest";
  std::filesystem::create_directories(latest);
  for (int i = 0; i < 60; ++i)  // the folder takes more than a sector
    base::writeFileAtomically(fmt::format("{}/another-file-with-a-long-name-{}", latest, i), "x");
  const auto drive = tests::drive("");
  base::writeFileAtomically(latest + "/meta_data.json", json::serialize(drive.metaData));
  base::writeFileAtomically(latest + "/user_data", userData);
  base::writeFileAtomically(latest + "/network_data.json", R"({"links":[],"networks":[]})");
  std::vector<std::string> words{"/usr/bin/genisoimage", "-quiet", "-V", label, "-o", folder.path + "/iso"};
  words.insert(words.end(), flags.begin(), flags.end());
  words.push_back(folder.path + "/content");
  const auto made = Imaged::command(words);
  INFO(made.standardError);
  REQUIRE(made.exitCode == 0);
  return base::readFile(folder.path + "/iso");
}

std::optional<sim::system::Iso> opened(const std::string& bytes) {
  return sim::system::Iso::open([&bytes](std::uint64_t offset, std::size_t length) {
    return offset < bytes.size() ? bytes.substr(offset, length) : std::string();
  });
}

void deploy(sim::Disk& disk, const std::string& bytes) {
  disk.write(sim::ramdisk::makeConfigPartition(disk, bytes.size()).offset, bytes);
}

// A machine onto whose disk an image was written, beside the API of the cluster that it belongs to.
struct Deployed : tests::SimBench {
  Deployed() {
    machine.listen(&systems);
    std::string sector(512, '\0');
    sector.replace(510, 2, "\x55\xaa");
    machine.disks[0].write(0, sector);
  }
  ~Deployed() { run(tasks.close()); }

  // The user data with the authority of the cluster, indented as it stands there.
  std::string initData() {
    auto text = tests::initData;
    const auto put = [&](const std::string& what, std::string pem) {
      for (auto at = pem.find('\n'); at != std::string::npos; at = pem.find('\n', at + 7))
        pem.replace(at, 1, "\n      ");
      text.replace(text.find("      " + what + "\n") + 6, what.size(), pem);
    };
    put("CERTIFICATE", api.authority.certificatePem());
    put("KEY", api.authority.keyPair().privateKeyPem.reveal());
    return text;
  }
  void powerOn() {
    (void)machine.reset(sim::Reset::on);
    pass(5s);
  }
  long beats() {
    const auto before = api.requests.size();
    pass(20s);
    return static_cast<long>(api.requests.size() - before);
  }

  tests::FakeApi api{runtime, transport};
  sim::system::Systems systems{runtime, transport, tasks, folder.path + "/nodes"};
};

}  // namespace

TEST_CASE("a config drive is found on disks of both kinds, by its label") {
  for (const std::string label : {"gpt", "dos"}) {
    INFO(label);
    Imaged bench(label);
    std::vector<sim::Disk> disks{{{.name = "/dev/sdb"}, "/nowhere"}, bench.disk};
    CHECK_FALSE(sim::system::findConfigDrive(disks));
    deploy(bench.disk, volume("#cloud-config\n"));
    const auto drive = sim::system::findConfigDrive(disks);
    REQUIRE(drive);
    CHECK(drive->userData == "#cloud-config\n");
    CHECK(json::textAt(drive->metaData, {"uuid"}) == "u-1");
    CHECK(json::arrayAt(drive->networkData, {"links"}));
    Imaged other(label);
    deploy(other.disk, volume("#cloud-config\n", asIronic, "OTHER"));
    CHECK_FALSE(sim::system::findConfigDrive({other.disk}));
  }
}

TEST_CASE("an ISO volume is read by the names that it has") {
  const std::string text(5000, 'u');
  for (const std::vector<std::string>& flags : {asIronic, {"-J"}, {"-r", "-l"}}) {
    const auto bytes = volume(text, flags);
    const auto iso = opened(bytes);
    REQUIRE(iso);
    CHECK(iso->label() == "config-2");
    CHECK(iso->file("openstack/latest/user_data") == text);
    CHECK_FALSE(iso->file("openstack/latest"));
    CHECK_FALSE(iso->file("openstack/latest/user_data/more"));
    CHECK_FALSE(iso->file("openstack/2012-08-10/user_data"));
  }
}

TEST_CASE("what is no ISO volume, or a piece of one, is told from one") {
  CHECK_FALSE(opened(""));
  CHECK_FALSE(opened(std::string(100'000, 'x')));
  const auto bytes = volume("text");
  const auto cut = bytes.substr(0, std::size_t{40} * 2048);
  const auto iso = opened(cut);
  REQUIRE(iso);
  try {
    CHECK_FALSE(iso->file("openstack/latest/user_data"));
  } catch (const base::Error& error) {
    CHECK_THAT(error.what(), Contains("ISO volume"));
  }
}

TEST_CASE("a config drive of which a piece is missing makes no machine") {
  std::string userData = "#cloud-config\n#";
  userData += std::string(2047 - userData.size(), 'x') + "\n";  // a whole sector
  const auto bytes = volume(userData + "runcmd: [kubeadm init --config /x]\n");
  Imaged bench("gpt");
  deploy(bench.disk, bytes.substr(0, bytes.find(userData) + userData.size()) + std::string(2048, '\0'));
  const auto drive = sim::system::findConfigDrive({bench.disk});
  REQUIRE(drive);
  CHECK_THROWS_WITH(sim::firstboot::readFirstBoot(*drive), Contains("a piece of it is missing"));
}

TEST_CASE("a deployed machine is a Node once it boots from its disk") {
  Deployed bench;
  deploy(bench.machine.disks[0], volume(bench.initData()));
  bench.powerOn();
  REQUIRE(bench.machine.bootedFrom() == sim::BootDevice::hdd);
  CHECK(bench.api.text(node, {"spec", "providerID"}) == "metal3://default/host-0/edge-abc");
  CHECK(bench.api.objects.contains("/api/v1/namespaces/kube-system/configmaps/kubeadm-config"));
  CHECK(bench.beats() > 0);

  (void)bench.machine.reset(sim::Reset::forceOff);
  bench.pass(1s);
  CHECK(bench.beats() == 0);
  CHECK(bench.api.objects.contains(node));
  bench.api.objects.erase(node);
  bench.powerOn();
  CHECK(bench.api.objects.contains(node));
}

TEST_CASE("os-hang: the power is on, and no Lease is renewed") {
  Deployed bench;
  deploy(bench.machine.disks[0], volume(bench.initData()));
  bench.powerOn();
  bench.machine.setFault(sim::Fault::osHang, true);
  bench.systems.faultsChanged(bench.machine);
  CHECK(bench.beats() == 0);
  CHECK(bench.power() == "On");
  bench.machine.setFault(sim::Fault::osHang, false);
  bench.systems.faultsChanged(bench.machine);
  CHECK(bench.beats() > 0);
}

TEST_CASE("a machine without a config drive, or that boots something else, asks no cluster for anything") {
  Deployed bench;
  bench.powerOn();
  CHECK(bench.machine.bootedFrom() == sim::BootDevice::hdd);
  CHECK(bench.api.count("by system:node") == 0);
  deploy(bench.machine.disks[0], volume(bench.initData()));
  bench.machine.boot = {.target = sim::BootDevice::pxe, .enabled = sim::OverrideEnabled::once};
  (void)bench.machine.reset(sim::Reset::forceRestart);
  bench.pass(5s);
  CHECK(bench.machine.bootedFrom() == sim::BootDevice::pxe);
  CHECK_FALSE(bench.api.objects.contains(node));
}
