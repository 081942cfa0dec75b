#include "sim/kubelet/installed_machine.hpp"

#include "base/file.hpp"
#include "base/sync.hpp"
#include "json/describe.hpp"
#include "sim/firstboot/network_data.hpp"
#include "sim/kubelet/keys.hpp"

#include <filesystem>

namespace ingot::sim::kubelet {

namespace {

constexpr base::Duration rereadPause = std::chrono::seconds(5);

// The state file.
struct KeptState {
  std::string installation;  // which config drive it belongs to
  bool initialized = false;
  std::string authority, certificate, key;
  static void describe(auto& v) {
    v.field("installation", &KeptState::installation);
    v.field("initialized", &KeptState::initialized);
    v.field("authority", &KeptState::authority);
    v.field("certificate", &KeptState::certificate);
    v.field("key", &KeptState::key);
  }
};

MachineFacts factsOf(const firstboot::ConfigDrive& drive) {
  return {json::textAt(drive.metaData, {"uuid"}), firstboot::addressesIn(drive.networkData)};
}

std::string installationOf(const firstboot::ConfigDrive& drive) {
  return sha256(json::serialize(json::Array{drive.metaData, drive.userData, drive.networkData}));
}

}  // namespace

// What stays when the power goes. Another config drive means that it was written anew.
struct InstalledMachine::Disk {
  explicit Disk(std::string file) : file(std::move(file)) {}

  void adopt(const firstboot::ConfigDrive& drive) {
    auto found = installationOf(drive);
    if (found == installation) return;
    installation = std::move(found);
    node = {.onChange = [this] { save(); }};
    const auto text = file.empty() ? std::nullopt : base::readFileIfExists(file);
    if (!text) return;
    auto kept = json::decode<KeptState>(json::parse(*text));
    if (kept.installation != installation) return;
    node.initialized = kept.initialized;
    if (!kept.key.empty()) node.identity = {kept.authority, {kept.certificate, base::Secret(kept.key)}};
  }

  void erase() {
    installation.clear();
    node = {};
    std::error_code absent;
    if (!file.empty()) std::filesystem::remove(file, absent);
  }

  void save() const {
    if (file.empty()) return;
    KeptState kept{.installation = installation, .initialized = node.initialized};
    if (node.identity) {
      kept.authority = node.identity->caPem;
      kept.certificate = node.identity->client.certificatePem;
      kept.key = node.identity->client.privateKeyPem.reveal();
    }
    base::writeFileAtomically(file, json::serialize(json::encode(kept)));
  }

  std::string file, installation;
  InstalledNode node;
};

class InstalledMachine::Boot : public std::enable_shared_from_this<Boot> {
 public:
  Boot(base::Runtime runtime, const Surroundings& around, std::shared_ptr<Disk> disk, ReadDrive read,
       std::function<bool()> hangs)
      : runtime_(std::move(runtime)),
        transport_(around.transport),
        options_(around.options),
        disk_(std::move(disk)),
        read_(std::move(read)),
        hangs_(std::move(hangs)) {}

  base::Task<void> run() {
    const auto self = shared_from_this();
    co_await life_.run(live());
  }
  void end() { life_.abort(); }

 private:
  base::Task<void> live() {
    Attempts attempts(runtime_.log);
    while (!co_await attempts.succeeds(start())) co_await runtime_.clock.sleepFor(rereadPause);
    if (kubelet_) co_await kubelet_->run();
  }

  base::Task<void> start() {
    const auto drive = co_await read_();
    firstboot::checkAddresses(drive.metaData, drive.networkData);
    const auto boot = firstboot::readFirstBoot(drive);
    for (const auto& name : boot.missingNames)
      runtime_.log.warn("the template of the user data names what the meta data does not", {{"name", name}});
    auto member = firstboot::membershipOf(boot);
    if (!member) co_return runtime_.log.info("nothing calls kubeadm: it is no Node");
    disk_->adopt(drive);
    kubelet_.emplace(runtime_, transport_, std::move(*member), factsOf(drive), disk_->node, hangs_, options_);
  }

  base::Runtime runtime_;
  net::HttpTransport& transport_;
  KubeletOptions options_;
  std::shared_ptr<Disk> disk_;
  ReadDrive read_;
  std::function<bool()> hangs_;
  base::AbortSource life_;
  std::optional<Kubelet> kubelet_;
};

InstalledMachine::InstalledMachine(Surroundings& around, std::string name, std::string stateFile)
    : around_(around), name_(std::move(name)), disk_(std::make_shared<Disk>(std::move(stateFile))) {}

InstalledMachine::~InstalledMachine() { powerOff(); }

void InstalledMachine::boot(ReadDrive read) {
  powerOff();
  const auto& runtime = around_.runtime;
  base::Runtime own{runtime.executor, runtime.clock, runtime.random, runtime.log.with("machine", name_)};
  boot_ = std::make_shared<Boot>(std::move(own), around_, disk_, std::move(read), [hangs = hangs_] { return *hangs; });
  around_.tasks.spawn("system of " + name_, boot_->run());
}

void InstalledMachine::erase() {
  powerOff();
  disk_->erase();
}

void InstalledMachine::powerOff() {
  if (boot_) boot_->end();
  boot_.reset();
}

}  // namespace ingot::sim::kubelet
