#include "tests/scenario/site.hpp"

#include "api/bmh/baremetalhost.hpp"
#include "api/kinds/kinds.hpp"
#include "kube/core/secret.hpp"

#include <unistd.h>

namespace ingot::tests {
namespace {

constexpr auto ironicOrigin = "http://ironic:6385";

std::filesystem::path freshFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "ingot-scenario-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  return name;
}

coordinator::Options embeddedIn(const std::filesystem::path& folder, const std::vector<std::string>& flags) {
  std::vector<std::string> words = {"ingot-coordinator", "--embedded", "--data-dir",        folder,
                                    "--listen",          "",           "--metrics-addr",    "0",
                                    "--health-addr",     "0",          "--agents-endpoint", ""};
  words.insert(words.end(), flags.begin(), flags.end());
  std::vector<const char*> arguments;
  arguments.reserve(words.size());
  for (const auto& word : words) arguments.push_back(word.c_str());
  auto parsed = coordinator::parseOptions(static_cast<int>(arguments.size()), arguments.data());
  if (!parsed.options) throw std::runtime_error(parsed.leave.text);
  return std::move(*parsed.options);
}

std::vector<json::Object> servedCrds(Site::ClusterApi clusterApi) {
  auto all = api::crdsOf(api::KindSet::hosts);
  for (const auto more : {api::KindSet::ipam, api::KindSet::clusterApi, api::KindSet::clusterApiCore})
    if (more != api::KindSet::clusterApiCore || clusterApi == Site::ClusterApi::served)
      std::ranges::move(api::crdsOf(more), std::back_inserter(all));
  return all;
}

}  // namespace

Site::Site(std::vector<std::string> flags, ClusterApi clusterApi, Environment environment)
    : folder_(freshFolder()), flags_(std::move(flags)), clusterApi_(clusterApi), environment_(std::move(environment)) {
  environment_.merge(Environment{{"IRONIC_ENDPOINT", std::string(ironicOrigin) + "/v1"},
                                 {"DEPLOY_KERNEL_URL", "http://images/kernel"},
                                 {"DEPLOY_RAMDISK_URL", "http://images/ramdisk"}});
  ironicUp();
  start();
}

Site::~Site() {
  stop();
  run(outside.close());
  std::filesystem::remove_all(folder_);
}

void Site::start() {
  bool ready = false;
  coordinator::Surroundings around{.transport = outside,
                                   .environment = [this](std::string_view name) -> std::optional<std::string> {
                                     const auto found = environment_.find(name);
                                     if (found == environment_.end()) return std::nullopt;
                                     return found->second;
                                   },
                                   .ready = [&ready] { ready = true; },
                                   .crds = [this] { return servedCrds(clusterApi_); }};
  around.store.commit = apiserver::StoreOptions::Commit::inLine;
  coordinator_ =
      std::make_unique<coordinator::Coordinator>(loop.runtime, embeddedIn(folder_, flags_), std::move(around));
  tasks_ = std::make_unique<base::TaskGroup>(loop.runtime.executor, loop.runtime.log);
  tasks_->spawn("coordinator", coordinator_->run());
  if (!loop.clock.advanceUntil([&] { return ready; }, std::chrono::minutes(1)))
    throw std::runtime_error("the coordinator did not start");
}

void Site::stop() {
  if (!coordinator_) return;
  run(tasks_->close());
  coordinator_.reset();
  tasks_.reset();
}

void Site::ironicDown() { outside.remove(ironicOrigin); }
void Site::ironicUp() { outside.serve(ironicOrigin, ironic); }

void Site::createHost(const std::string& name, const std::string& address, const std::string& imageUrl) {
  kube::Secret secret;
  secret.metadata.name = name + "-bmc";
  secret.metadata.namespace_ = "default";
  secret.data = {{"username", kube::SecretBytes("admin")}, {"password", kube::SecretBytes("secret")}};
  run(client().create(std::move(secret)));

  static int number = 0;
  api::BareMetalHost host;
  host.metadata.name = name;
  host.metadata.namespace_ = "default";
  host.spec.bmc = {.address = address, .credentialsName = name + "-bmc"};
  ++number;
  host.spec.bootMACAddress = fmt::format("52:54:00:00:{:02x}:{:02x}", number / 256, number % 256);
  host.spec.online = true;
  if (!imageUrl.empty()) {
    host.spec.image =
        api::Image{.url = imageUrl, .checksum = "http://images/sums", .checksumType = "sha256", .format = "raw"};
  }
  run(client().create(std::move(host)));
}

void Site::patchHost(const std::string& name, const std::string& mergePatch) {
  run(client().patch<api::BareMetalHost>({"default", name}, json::parse(mergePatch)));
}

void Site::removeHost(const std::string& name) { run(client().remove<api::BareMetalHost>({"default", name})); }

std::optional<api::BareMetalHost> Site::host(const std::string& name) {
  return run(client().get<api::BareMetalHost>({"default", name}));
}

std::string Site::state(const std::string& name) {
  const auto found = host(name);
  return found ? found->status.provisioning.state : "gone";
}

bool Site::reaches(const std::string& name, const std::string& wanted, base::Duration limit) {
  for (const base::MonoTime end = loop.clock.now() + limit; loop.clock.now() < end;) {
    if (state(name) == wanted) return true;
    loop.clock.advance(std::chrono::seconds(1));
  }
  return false;
}

int Site::verbCount(const std::string& verb) const {
  const auto verbs = ironic.verbs();
  return static_cast<int>(std::ranges::count(verbs, verb));
}

}  // namespace ingot::tests
