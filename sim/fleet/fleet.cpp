#include "sim/fleet/fleet.hpp"

#include "base/file.hpp"
#include "sim/control/api.hpp"
#include "sim/fleet/authority.hpp"
#include "sim/redfish/call.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ingot::sim {

namespace {
constexpr std::size_t maxBmcConnections = 32;
constexpr base::Duration bmcIdle = std::chrono::seconds(60);
constexpr base::Duration grace = std::chrono::milliseconds(200);

// Finds a port for ipmi_sim, which cannot choose one itself; it was free a moment ago. Throws base::Error when the
// address is none of this machine.
int freeUdpPort(const std::string& address) {
  sockaddr_in where{};
  where.sin_family = AF_INET;
  if (::inet_pton(AF_INET, address.c_str(), &where.sin_addr) != 1) throw base::Error(address + " is no IPv4 address");
  const int fd = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  socklen_t length = sizeof where;
  const bool bound = fd >= 0 && ::bind(fd, reinterpret_cast<sockaddr*>(&where), length) == 0 &&
                     ::getsockname(fd, reinterpret_cast<sockaddr*>(&where), &length) == 0;
  if (fd >= 0) ::close(fd);
  if (!bound) throw base::Error("no free UDP port on " + address);
  return ntohs(where.sin_port);
}

}  // namespace

struct Fleet::Member {
  Member(base::Runtime runtime, MachineSpec spec, Journal& journal, base::TaskGroup& tasks, const std::string& disks)
      : machine(std::move(runtime), std::move(spec), journal, tasks, disks) {}
  Machine machine;
  int port = 0;
  std::unique_ptr<redfish::Service> redfish;
  std::unique_ptr<LoggedService> logged;  // the same, where there is an access log
  std::unique_ptr<net::Server> server;
  std::unique_ptr<ipmi::Bmc> ipmi;
};

// What runs on a machine: the ramdisk, or the system on its disk.
class Fleet::Boots final : public MachineListener {
 public:
  explicit Boots(Fleet& fleet) : fleet_(fleet) {}

  void booted(Machine& machine, BootDevice from) override {
    fleet_.ramdisks_.booted(machine, from);
    fleet_.systems_.booted(machine, from);
  }
  void stopped(Machine& machine) override {
    fleet_.ramdisks_.stopped(machine);
    fleet_.systems_.stopped(machine);
  }

 private:
  Fleet& fleet_;
};

// /control and /agent have handlers of their own; everything else is a file.
class Fleet::Front final : public net::HttpHandler {
 public:
  explicit Front(Fleet& fleet) : fleet_(fleet), control_(fleet) {}

  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    const auto path = request.path();
    if (path.starts_with("/control/")) return control_.handle(std::move(request), out);
    if (path.starts_with("/agent/")) return fleet_.ramdisks_.handle(std::move(request), out);
    return fleet_.files_.handle(std::move(request), out);
  }

 private:
  Fleet& fleet_;
  control::Api control_;
};

Fleet::Fleet(base::Runtime runtime, net::HttpTransport& transport, base::ProcessRunner& runner, FleetOptions options)
    : runtime_(std::move(runtime)),
      transport_(transport),
      runner_(runner),
      options_(std::move(options)),
      journal_(runtime_.clock),
      tasks_(runtime_.executor, runtime_.log),
      ramdisks_(runtime_, transport, journal_, tasks_),
      systems_(runtime_, transport, tasks_, options_.dataFolder + "/nodes", options_.kubelet),
      boots_(std::make_unique<Boots>(*this)),
      files_(options_.httpRoot) {
  const auto disks = options_.dataFolder + "/disks";
  base::makeFolder(disks);
  journalFile_.open(options_.dataFolder + "/journal.jsonl", std::ios::app);
  journal_.onRecord = [this](const JournalEntry& entry) {
    journalFile_ << json::serialize(json::encode(entry)) << std::endl;
  };
  if (!options_.accessLog.empty()) accessLog_.emplace(runtime_.clock, options_.accessLog);
  for (auto& spec : options_.machines) {
    members_.push_back(std::make_unique<Member>(runtime_, spec, journal_, tasks_, disks));
    members_.back()->machine.listen(boots_.get());
  }
}

Fleet::~Fleet() = default;

void Fleet::start() {
  front_ = std::make_unique<Front>(*this);
  frontServer_ = net::listen(runtime_.named("front"),
                             {.address = options_.address, .port = static_cast<std::uint16_t>(options_.port)}, *front_);
  ramdisks_.serveAt(url(), url() + "/agent");
  for (auto& member : members_) {
    if (member->machine.spec().protocol == Protocol::ipmi)
      startIpmi(*member);
    else
      startRedfish(*member);
  }
  if (!options_.readyFile.empty())
    base::writeFileAtomically(options_.readyFile, json::serializePretty(description()), 0600);
}

void Fleet::startRedfish(Member& member) {
  const auto& spec = member.machine.spec();
  member.redfish = std::make_unique<redfish::Service>(runtime_.named("redfish"), member.machine, journal_,
                                                      redfish::Pushing{&transport_, &tasks_});
  net::ServerOptions options{.address = spec.address,
                             .port = static_cast<std::uint16_t>(spec.port),
                             .maxConnections = maxBmcConnections,
                             .idleTimeout = bmcIdle};
  if (spec.tls) {
    if (!authority_) authority_ = openAuthority(options_.dataFolder, runtime_.clock.wall());
    const auto pair =
        authority_->issue(net::ServerCertificate{.commonName = "BMC of " + spec.name, .ipAddresses = {spec.address}},
                          runtime_.clock.wall());
    options.tls = net::ServerTls{.certificatePem = pair.certificatePem, .privateKeyPem = pair.privateKeyPem};
  }
  if (accessLog_) member.logged = std::make_unique<LoggedService>(*member.redfish, *accessLog_, spec.name);
  net::HttpHandler& service = member.logged ? static_cast<net::HttpHandler&>(*member.logged) : *member.redfish;
  member.server = net::listen(runtime_.named("bmc"), std::move(options), service);
  member.port = member.server->port();
}

void Fleet::startIpmi(Member& member) {
  const auto& spec = member.machine.spec();
  member.port = spec.port != 0 ? spec.port : freeUdpPort(spec.address);
  member.ipmi = std::make_unique<ipmi::Bmc>(
      runtime_.named("ipmi"), runner_, member.machine,
      ipmi::BmcOptions{
          .folder = fmt::format("{}/ipmi/{}", options_.dataFolder, spec.name),
          .chassisCommand = fmt::format("{} chassis --control {} --machine {}", options_.program, url(), spec.name),
          .port = member.port});
  tasks_.spawn("ipmi_sim of " + spec.name, member.ipmi->run());
}

base::Task<void> Fleet::stop() {
  if (frontServer_) co_await frontServer_->stop(grace);
  for (auto& member : members_)
    if (member->server) co_await member->server->stop(base::Duration::zero());
  co_await tasks_.close();
}

Machine* Fleet::find(std::string_view name) {
  for (auto& member : members_)
    if (member->machine.name() == name) return &member->machine;
  return nullptr;
}

void Fleet::setFault(Machine& machine, Fault fault, bool on) {
  machine.setFault(fault, on);
  systems_.faultsChanged(machine);
  for (auto& member : members_)
    if (&member->machine == &machine && member->ipmi) member->ipmi->refresh();
}

std::string Fleet::url() const { return fmt::format("http://{}:{}", options_.address, frontServer_->port()); }

json::Object Fleet::description() const {
  json::Array machines;
  for (const auto& member : members_) machines.push_back(describe(*member));
  return {{"url", url()}, {"ca", caFile()}, {"httpRoot", options_.httpRoot}, {"machines", std::move(machines)}};
}

json::Object Fleet::describe(const Member& member) const {
  const auto& machine = member.machine;
  const auto& spec = machine.spec();
  const bool isIpmi = spec.protocol == Protocol::ipmi;
  json::Array disks, macs, faults;
  for (const auto& disk : machine.disks) disks.emplace_back(disk.path());
  for (const auto& nic : spec.nics) macs.emplace_back(nic.mac);
  for (const auto& name : namesOf(Fault{}))
    if (machine.faults.has(name.value)) faults.emplace_back(name.name);
  return {{"name", spec.name},
          {"protocol", json::textOf(spec.protocol)},
          {"address", spec.address},
          {"port", member.port},
          {"url", fmt::format("{}://{}:{}",
                              isIpmi     ? "ipmi"
                              : spec.tls ? "https"
                                         : "http",
                              spec.address, member.port)},
          {"systemPath", isIpmi ? "" : redfish::ownPath(redfish::traitsOf(spec.personality), redfish::systemPath)},
          {"username", spec.username},
          {"password", spec.password},
          {"power", machine.on() ? "on" : "off"},
          {"bootedFrom", json::textOf(machine.bootedFrom())},
          {"faults", std::move(faults)},
          {"macs", std::move(macs)},
          {"disks", std::move(disks)}};
}

}  // namespace ingot::sim
