#include "coordinator/host/ironic/register.hpp"

#include "bmc/model/mac.hpp"
#include "coordinator/host/ironic/access.hpp"
#include "coordinator/host/ironic/node_owner.hpp"
#include "coordinator/host/ironic/operations.hpp"
#include "coordinator/host/ironic/ports.hpp"
#include "coordinator/host/ironic/record.hpp"
#include "json/yaml.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::host::ironic_backend {

namespace {

using ironic::State;

constexpr auto registering = api::ProvisioningState::registering;

// As the webhook says it. Without one the change gets here: past registering it may not turn a node into another
// machine.
constexpr std::string_view addressChanged =
    "BMC address can not be changed if the BMH is not in the Registering state, or if the BMH is not detached";

bool needsBootMac(const bmc::Address& address, const RegisterData& data) {
  return address.traits().needsBootMac || data.inspectionDisabled;
}

void addIfGiven(json::Object& record, std::string_view key, std::string_view value) {
  if (!value.empty()) record[key] = value;
}

// What a node that is adopted later must be told when it is made: interfaces cannot change on an active node.
std::string deployInterfaceAtCreation(const RegisterData& data) {
  if (data.hasCustomDeploy) return "custom-agent";
  return data.currentImage && data.currentImage->isLiveIso() ? "ramdisk" : "";
}

// Of a node that is made anew for a host that an agent may have booted: nobody else knows it (docs/decisions/0038).
void noteBoot(json::Object& record, const RegisterData& data) {
  if (!data.mayRunElsewhere) return;
  const bool isProved = data.currentImage && data.state != api::ProvisioningState::provisioning;
  record["extra"] = json::Object{{bootMark, textOf(isProved ? BootPhase::booted : BootPhase::lent)}};
  if (isProved) record["instance_info"] = json::Object{{"boot_iso", data.currentImage->url}};
}

struct Parsed {
  std::optional<bmc::Address> address;
  std::string problem;
};

Parsed parsedAddress(const std::string& text) {
  try {
    return {bmc::parseAddress(text), ""};
  } catch (const bmc::AddressError& error) {
    return {std::nullopt, fmt::format("failed to parse BMC address information: {}", error.what())};
  }
}

void setNetworkData(ironic::NodePatch& patch, const RegisterData& data) {
  if (data.preprovisioningNetworkData.empty()) return;
  try {
    json::Value network = json::parseYamlValue(data.preprovisioningNetworkData.reveal());
    if (network.is_object()) patch.set("", "network_data", std::move(network));
  } catch (const json::YamlError& error) {
    throw ProvisionerError(ProvisionerError::Code::transient,
                           fmt::format("invalid preprovisioningNetworkData: {}", error.what()));
  }
}

NodePtr shared(std::optional<ironic::Node> node) {
  return node ? std::make_shared<const ironic::Node>(std::move(*node)) : nullptr;
}

// That Ironic could not say is not "there is none": the machine would get a second node.
ProvisionerError busy(const std::string& context) { return {ProvisionerError::Code::transient, context + "busy"}; }

base::Task<NodePtr> byId(Session& session) {
  try {
    co_return co_await session.node();
  } catch (const ProvisionerError& error) {
    if (error.code() != ProvisionerError::Code::needsRegistration) throw;
  }
  co_return nullptr;
}

base::Task<NodePtr> lookUp(Session& session, std::string idOrName, std::string context) {
  auto node = co_await session.ask(context, session.client().findNode(idOrName));
  if (!node) throw busy(context);
  co_return shared(std::move(*node));
}

base::Task<NodePtr> byName(Session& session) {
  const HostData& host = session.host();
  std::vector<std::string> names{nodeName(host.namespace_, host.name)};
  if (host.name.find('~') == std::string::npos) names.push_back(host.name);  // as earlier versions named nodes
  for (const std::string& name : names)
    if (NodePtr node = co_await lookUp(session, name, fmt::format("failed to find node by name {}: ", name)))
      co_return node;
  co_return nullptr;
}

// The first port with this address.
base::Task<std::optional<ironic::Port>> portWith(Session& session, std::string mac) {
  const std::string context = fmt::format("failed to find port {}: ", mac);
  auto ports = co_await session.ask(context, session.client().portsByAddress(mac));
  if (!ports) throw busy(context);
  co_return ports->empty() ? std::nullopt : std::optional(std::move(ports->front()));
}

struct Found {
  NodePtr node;          // empty: there is none
  std::string conflict;  // the node is not ours: text for the user
};

base::Task<Found> byMac(Session& session) {
  const auto mac = bmc::normaliseMac(session.host().bootMacAddress);
  if (!mac) co_return Found{};
  const auto port = co_await portWith(session, *mac);
  if (!port) co_return Found{};
  NodePtr node =
      co_await lookUp(session, port->nodeUuid,
                      fmt::format("port {} exists but failed to find linked node {} by ID: ", *mac, port->nodeUuid));
  if (!node)
    throw ProvisionerError(ProvisionerError::Code::transient,
                           fmt::format("port {} exists but linked node {} doesn't: not found", *mac, port->nodeUuid));
  if (!node->name.empty())
    co_return Found{.conflict = fmt::format("MAC address {} conflicts with existing node {}",
                                            session.host().bootMacAddress, tellableName(session.host(), *node))};
  co_return Found{.node = std::move(node)};
}

base::Task<Found> search(Session& session) {
  if (NodePtr node = co_await byId(session)) co_return Found{.node = std::move(node)};
  Found found{.node = co_await byName(session)};
  if (!found.node) found = co_await byMac(session);
  if (!found.node) co_return found;
  co_await session.checkOwner(found.node);
  session.adoptId(found.node->uuid);
  co_return found;
}

// The node that belongs to a host (spec/ironic.md §5.1): by ID, by name, by the MAC address of a port.
base::Task<Found> findHost(Session& session) {
  try {
    co_return co_await search(session);
  } catch (const ProvisionerError& error) {
    if (error.code() == ProvisionerError::Code::foreignNode) co_return Found{.conflict = error.what()};
    throw ProvisionerError(error.code(), fmt::format("failed to find existing host: {}", error.what()));
  }
}

Registered failed(const Session& session, std::string text) {
  return {Refused{std::move(text)}, session.host().provisionerId};
}
Registered now(const Session& session, Progress progress, bool credentialsTold = false) {
  return {std::move(progress), session.host().provisionerId, credentialsTold};
}

// Ironic is at work on the node: what has changed is told when it has ended. A host whose registration is not over
// waits for that.
Registered leftAlone(Session& session, const ironic::Node& node, const RegisterData& data, const json::Object& info,
                     bool credentialsChanged) {
  const bool outdated = credentialsChanged || accessDiffers(info, node.driverInfo);
  if (data.state == registering && outdated) return now(session, session.wait(Pause::extended));
  return now(session, Done{});
}

base::Task<bool> createNode(Session& session, bmc::Address address, RegisterData data, json::Object info) {
  json::Object record = newNode(session.host(), address, data, std::move(info), session.features());
  const bool created = co_await session.create(std::move(record));
  if (created) session.event("Registered", "Registered new host");
  co_return created;
}

// Of two hosts that name one machine, one may be a copy: its deletion would act on the machine of the other.
std::string whyNoNode(const HostData& host, const NodePtr& found, const std::string& recordedId) {
  const bool isOwn = found && (found->uuid == recordedId || !found->name.empty());
  return isOwn || !host.reserveMachine ? "" : host.reserveMachine();
}

struct Registration : Operation<> {
  using Operation::operator();
  const bmc::Address& address;
  const RegisterData& data;

  base::Task<Progress> operator()(Configure) const {
    const Updated updated =
        co_await session.update(node, configurationPatch(*node, address, data, session.shared().settings));
    if (!updated) co_return updated.error();
    co_return Done{};
  }
};

}  // namespace

std::string refusal(const bmc::Address& address, const RegisterData& data, const Settings& settings,
                    const ironic::Features& features) {
  const bmc::Traits& traits = address.traits();
  if (data.fastInspection && !traits.outOfBandInspection)
    return fmt::format("BMC driver {} does not support fast (out-of-band) inspection", address.type);
  if (data.bootMode == "UEFISecureBoot" && !traits.secureBoot)
    return fmt::format("BMC driver {} does not support secure boot", address.type);
  if (traits.needsProvisioningNetwork && settings.provisioningNetworkDisabled)
    return fmt::format("BMC driver {} requires a provisioning network", address.type);
  if (data.disablePowerOff && !features.disablePowerOff())
    return "current ironic version does not support DisablePowerOff, refusing to manage node";
  return "";
}

json::Object newNode(const HostData& host, const bmc::Address& address, const RegisterData& data,
                     json::Object driverInfo, const ironic::Features& features) {
  const Access& access = accessOf(address.scheme);
  json::Object record{{"name", nodeName(host.namespace_, host.name)},
                      {"driver", access.driver},
                      {"driver_info", std::move(driverInfo)},
                      {"inspect_interface", inspectInterface(access, data.fastInspection)},
                      {"properties", json::Object{{"capabilities", capabilities({}, data.bootMode)},
                                                  {"cpu_arch", data.cpuArchitecture}}}};
  addIfGiven(record, "boot_interface", access.boot);
  addIfGiven(record, "bios_interface", access.bios);
  addIfGiven(record, "firmware_interface", access.firmware);
  addIfGiven(record, "management_interface", access.management);
  addIfGiven(record, "power_interface", access.power);
  addIfGiven(record, "raid_interface", access.raid);
  addIfGiven(record, "vendor_interface", access.vendor);
  addIfGiven(record, "deploy_interface", deployInterfaceAtCreation(data));
  if (features.disablePowerOff()) record["disable_power_off"] = data.disablePowerOff;  // older APIs refuse the key
  noteBoot(record, data);
  return record;
}

ironic::NodePatch identityPatch(const ironic::Node& node, const HostData& host, const RegisterData& data,
                                const json::Object& driverInfo, const ironic::Features& features,
                                bool credentialsChanged) {
  ironic::NodePatch patch(node);
  if (credentialsChanged || accessDiffers(driverInfo, node.driverInfo)) patch.set("", "driver_info", driverInfo);
  patch.setText("", "name", nodeName(host.namespace_, host.name));
  if (features.disablePowerOff()) patch.set("", "disable_power_off", data.disablePowerOff);
  if (!data.cpuArchitecture.empty()) patch.setText("properties", "cpu_arch", data.cpuArchitecture);
  setNetworkData(patch, data);
  return patch;
}

ironic::NodePatch configurationPatch(const ironic::Node& node, const bmc::Address& address, const RegisterData& data,
                                     const Settings& settings) {
  ironic::NodePatch patch(node);
  setDeployImage(patch, settings, address.traits().isoBoot);
  if (!data.leavesCleaning) patch.set("", "automated_clean", data.automatedCleaningMode != "disabled");
  patch.setText("properties", "capabilities", capabilities(node.properties, data.bootMode));
  if (!data.cpuArchitecture.empty()) patch.setText("properties", "cpu_arch", data.cpuArchitecture);
  return patch;
}

RegistrationPlan planRegistration(const ironic::Node& node, RegisterFlags flags) {
  switch (node.state()) {
    case State::enroll:
      if (!node.lastError.empty() && !flags.credentialsChanged && !flags.restartOnFailure) return Fail{node.lastError};
      if (node.targetProvisionState.text() == "manage") return Wait{Pause::brief};
      return Send{ironic::Verb::manage};
    case State::verifying: return Wait{Pause::brief};
    case State::cleanWait:
    case State::cleaning:
    case State::deployWait:
    case State::deploying:
    case State::inspecting: return Complete{};  // the record cannot be changed now
    default: return Configure{};
  }
}

base::Task<Registered> registerHost(Session& session, RegisterData data) {
  const HostData& host = session.host();
  const Parsed parsed = parsedAddress(host.bmcAddress);
  if (!parsed.address) co_return failed(session, parsed.problem);
  const bmc::Address address = *parsed.address;
  if (std::string why = problemWith(host.credentials); !why.empty()) co_return failed(session, std::move(why));
  if (std::string why = refusal(address, data, session.shared().settings, session.features()); !why.empty())
    co_return failed(session, std::move(why));

  const std::string recordedId = host.provisionerId;
  const Found found = co_await findHost(session);
  if (!found.conflict.empty()) co_return failed(session, found.conflict);
  if (std::string why = whyNoNode(host, found.node, recordedId); !why.empty())
    co_return Registered{Refused{std::move(why)}, recordedId};
  if (needsBootMac(address, data) && host.bootMacAddress.empty())
    co_return failed(session, fmt::format("BMC driver {} requires a BootMACAddress value", address.type));

  json::Object info = driverInfo(address, host.credentials, host.disableCertificateVerification);
  addExternalUrl(info, address, session.shared().settings);

  NodePtr node = found.node;
  const bool isNew = !node;
  if (node && data.state != registering && leadsElsewhere(info, node->driverInfo))
    co_return failed(session, std::string(addressChanged));
  if (isNew) {
    if (!co_await createNode(session, address, data, info)) co_return Registered{session.wait(Pause::brief), ""};
    node = co_await session.node();
  }
  const bool ported = co_await ensurePorts(session, node, data);
  const bool tell = data.credentialsChanged && !isNew;  // a new node has them already
  if (!ported) co_return now(session, session.wait(Pause::brief), isNew);
  if (!acceptsUpdates(*node)) co_return leftAlone(session, *node, data, info, tell);

  const Updated updated =
      co_await session.update(node, identityPatch(*node, host, data, info, session.features(), tell));
  if (!updated) co_return now(session, updated.error(), isNew);
  const RegisterFlags flags{.credentialsChanged = tell, .restartOnFailure = data.restartOnFailure};
  const Registration registration{{session, *updated}, address, data};
  const Progress progress = co_await std::visit(registration, planRegistration(**updated, flags));
  co_return now(session, progress, isNew || tell);
}

}  // namespace ingot::coordinator::host::ironic_backend
