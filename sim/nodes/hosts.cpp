#include "sim/nodes/hosts.hpp"

#include "net/url.hpp"
#include "sim/firstboot/error.hpp"

#include <set>

namespace ingot::sim::nodes {

namespace {

using namespace std::chrono_literals;
constexpr base::Duration reconnectPause = 2s;
constexpr int watchSeconds = 300;
constexpr std::size_t longestEvent = 16u << 20;

}  // namespace

struct Hosts::Member {
  Member(kubelet::Surroundings& around, const Host& host, const std::string& folder)
      : uid(host.uid),
        machine(around, host.key(), folder.empty() ? "" : fmt::format("{}/{}.{}.json", folder, host.ns, host.name)) {}
  void newDrive() { drive = std::make_shared<std::optional<firstboot::ConfigDrive>>(); }

  std::string uid;
  DriveSecrets secrets;
  WrittenDrive drive;
  kubelet::InstalledMachine machine;
};

Hosts::Hosts(base::Runtime runtime, net::HttpTransport& transport, base::TaskGroup& tasks,
             const kubelet::Access& access, HostsOptions options)
    : runtime_(runtime),
      around_{runtime, transport, tasks, options.kubelet},
      options_(std::move(options)),
      api_(transport, access),
      attempts_(runtime.log) {}

Hosts::~Hosts() = default;

std::string Hosts::pathWith(std::string query) const {
  if (!options_.cluster.empty())
    query += "&labelSelector=" + net::percentEncode("cluster.x-k8s.io/cluster-name=" + options_.cluster);
  return kubelet::collectionPath("metal3.io/v1alpha1", "baremetalhosts", options_.ns) + "?" + query;
}

base::Task<void> Hosts::run() {
  while (true) {
    (void)co_await attempts_.succeeds(follow());
    co_await runtime_.clock.sleepFor(reconnectPause);
  }
}

base::Task<void> Hosts::follow() {
  auto from = co_await list();
  options_.onReady();
  co_await watch(std::move(from));
}

base::Task<std::string> Hosts::list() {
  std::set<std::string> there;
  std::string next, resourceVersion;
  do {
    const auto page =
        co_await api_.get(pathWith(fmt::format("limit={}&continue={}", options_.pageSize, net::percentEncode(next))));
    if (!page) throw base::Error("the API does not serve BareMetalHosts");
    if (const auto* items = json::arrayAt(*page, {"items"}))
      for (const auto& each : *items) {
        const auto host = hostOf(each);
        there.insert(host.key());
        see(host);
      }
    next = json::textAt(*page, {"metadata", "continue"});
    resourceVersion = json::textAt(*page, {"metadata", "resourceVersion"});
  } while (!next.empty());
  std::erase_if(members_, [&](const auto& each) { return !there.contains(each.first); });
  co_return resourceVersion;
}

base::Task<void> Hosts::watch(std::string resourceVersion) {
  const auto stream = co_await api_.open(pathWith(fmt::format("watch=true&timeoutSeconds={}&resourceVersion={}",
                                                              watchSeconds, net::percentEncode(resourceVersion))));
  std::string buffer;
  while (auto piece = co_await stream->next(std::chrono::seconds(watchSeconds + 30))) {
    buffer += *piece;
    if (buffer.size() > longestEvent) throw base::Error("an event of the watch is too long");
    std::size_t start = 0;
    for (auto end = buffer.find('\n'); end != std::string::npos; end = buffer.find('\n', start)) {
      take(std::string_view(buffer).substr(start, end - start));
      start = end + 1;
    }
    buffer.erase(0, start);
  }
}

void Hosts::take(std::string_view event) {
  if (event.empty()) return;
  const auto parsed = json::parse(event);
  const auto type = json::textAt(parsed, {"type"});
  const auto* object = json::find(parsed, {"object"});
  if (type == "ERROR" || !object) throw base::Error("the watch ends: " + json::textAt(parsed, {"object", "message"}));
  const auto host = hostOf(*object);
  if (type == "DELETED")
    members_.erase(host.key());
  else
    see(host);
}

void Hosts::see(const Host& host) {
  auto& member = members_[host.key()];
  if (!member || member->uid != host.uid) member = std::make_unique<Member>(around_, host, options_.dataFolder);
  auto& machine = member->machine;
  machine.hang(host.hangs);
  if (host.blank) {
    member->newDrive();
    return machine.erase();
  }
  if (!host.running) return machine.powerOff();
  const bool isAnother = !member->drive || member->secrets != host.secrets;
  if (machine.running() && !isAnother) return;
  if (isAnother) member->newDrive();
  member->secrets = host.secrets;
  machine.boot([this, host, written = member->drive] { return readDrive(host, written); });
}

base::Task<firstboot::ConfigDrive> Hosts::readDrive(Host host, WrittenDrive written) {
  if (*written) co_return **written;
  const auto& names = host.secrets;
  auto userData = co_await secret(host.ns, names.userData, "userData", MissingKey::refuse);
  const auto metaData = co_await secret(host.ns, names.metaData, "metaData", MissingKey::refuse);
  const auto networkData = co_await secret(host.ns, names.networkData, "networkData", MissingKey::empty);
  *written = configDriveOf(host, std::move(userData), metaData, networkData);
  co_return **written;
}

base::Task<std::string> Hosts::secret(std::string ns, std::string name, std::string key, MissingKey missing) {
  if (name.empty()) co_return "";
  const auto found = co_await api_.get(kubelet::pathOf("v1", "secrets", ns, name));
  if (!found) throw firstboot::BootError(fmt::format("the Secret {}/{} is missing", ns, name));
  auto text = secretText(*found, key);
  if (!text && missing == MissingKey::empty) co_return "";
  if (!text) throw firstboot::BootError(fmt::format("the Secret {}/{} has neither {} nor value", ns, name, key));
  co_return std::move(*text);
}

}  // namespace ingot::sim::nodes
