#include "sim/redfish/personality.hpp"

#include <algorithm>
#include <charconv>

namespace ingot::sim::redfish {

namespace {

using enum Habit;
using enum Reset;

// The most special path first.
constexpr Rename ofIdrac9[] = {
    {"/redfish/v1/Systems/1/LogServices/SEL", "/redfish/v1/Managers/iDRAC.Embedded.1/LogServices/Sel"},
    {"/redfish/v1/Systems/1/LogServices", "/redfish/v1/Managers/iDRAC.Embedded.1/LogServices"},
    {"/redfish/v1/Managers/1/VirtualMedia/Cd", "/redfish/v1/Managers/iDRAC.Embedded.1/VirtualMedia/CD"},
    {"/redfish/v1/Managers/1/VirtualMedia/Floppy", "/redfish/v1/Managers/iDRAC.Embedded.1/VirtualMedia/RemovableDisk"},
    {"/redfish/v1/Systems/1", "/redfish/v1/Systems/System.Embedded.1"},
    {"/redfish/v1/Managers/1", "/redfish/v1/Managers/iDRAC.Embedded.1"},
    {"/redfish/v1/Chassis/1", "/redfish/v1/Chassis/System.Embedded.1"}};
constexpr Rename ofIdrac10[] = {
    {"/redfish/v1/Systems/1/LogServices/SEL", "/redfish/v1/Managers/iDRAC.Embedded.1/LogServices/Sel"},
    {"/redfish/v1/Systems/1/LogServices", "/redfish/v1/Managers/iDRAC.Embedded.1/LogServices"},
    {"/redfish/v1/Managers/1/VirtualMedia/Cd", "/redfish/v1/Systems/System.Embedded.1/VirtualMedia/1"},
    {"/redfish/v1/Managers/1/VirtualMedia/Floppy", "/redfish/v1/Systems/System.Embedded.1/VirtualMedia/2"},
    {"/redfish/v1/Managers/1/VirtualMedia", "/redfish/v1/Systems/System.Embedded.1/VirtualMedia"},
    {"/redfish/v1/Systems/1", "/redfish/v1/Systems/System.Embedded.1"},
    {"/redfish/v1/Managers/1", "/redfish/v1/Managers/iDRAC.Embedded.1"},
    {"/redfish/v1/Chassis/1", "/redfish/v1/Chassis/System.Embedded.1"}};
constexpr Rename ofIlo[] = {{"/redfish/v1/Systems/1/LogServices/SEL", "/redfish/v1/Systems/1/LogServices/IML"},
                            {"/redfish/v1/Managers/1/VirtualMedia/Floppy", "/redfish/v1/Managers/1/VirtualMedia/1"},
                            {"/redfish/v1/Managers/1/VirtualMedia/Cd", "/redfish/v1/Managers/1/VirtualMedia/2"}};
constexpr Rename ofXcc[] = {{"/redfish/v1/Managers/1/VirtualMedia/Floppy", "/redfish/v1/Managers/1/VirtualMedia/RDOC1"},
                            {"/redfish/v1/Managers/1/VirtualMedia/Cd", "/redfish/v1/Managers/1/VirtualMedia/Remote1"}};
constexpr Rename ofSupermicro[] = {
    {"/redfish/v1/Systems/1/LogServices/SEL", "/redfish/v1/Systems/1/LogServices/Log1"},
    {"/redfish/v1/Managers/1/VirtualMedia/Cd", "/redfish/v1/Managers/1/VirtualMedia/VirtualMedia1"}};
constexpr Rename ofOpenbmc[] = {
    {"/redfish/v1/Systems/1/LogServices/SEL", "/redfish/v1/Systems/system/LogServices/EventLog"},
    {"/redfish/v1/Managers/1/VirtualMedia/Cd", "/redfish/v1/Managers/bmc/VirtualMedia/Slot_0"},
    {"/redfish/v1/Systems/1", "/redfish/v1/Systems/system"},
    {"/redfish/v1/Managers/1", "/redfish/v1/Managers/bmc"},
    {"/redfish/v1/Chassis/1", "/redfish/v1/Chassis/chassis"}};
constexpr Rename ofAmi[] = {
    {"/redfish/v1/Systems/1/LogServices", "/redfish/v1/Managers/Self/LogServices"},
    {"/redfish/v1/Systems/1/Settings", "/redfish/v1/Systems/Self/SD"},
    {"/redfish/v1/Managers/1/VirtualMedia/Cd", "/redfish/v1/Managers/Self/VirtualMedia/CD1"},
    {"/redfish/v1/Managers/1/VirtualMedia/Floppy", "/redfish/v1/Managers/Self/VirtualMedia/HD1"},
    {"/redfish/v1/Systems/1", "/redfish/v1/Systems/Self"},
    {"/redfish/v1/Managers/1", "/redfish/v1/Managers/Self"},
    {"/redfish/v1/Chassis/1", "/redfish/v1/Chassis/Self"}};

constexpr Reset idrac9Resets[] = {
    on, forceOff, forceRestart, gracefulRestart, gracefulShutdown, pushPowerButton, powerCycle, nmi};
constexpr Reset idrac10Resets[] = {
    on, forceOff, forceRestart, gracefulRestart, gracefulShutdown, pushPowerButton, powerCycle, nmi, fullPowerCycle};
constexpr Reset iloResets[] = {on, forceOff, gracefulShutdown, gracefulRestart, forceRestart, pushPowerButton, nmi};
constexpr Reset xccResets[] = {on, forceOn, forceOff, gracefulShutdown, gracefulRestart, forceRestart, nmi};
constexpr Reset supermicroResets[] = {on, forceOn, forceOff, gracefulShutdown, gracefulRestart, forceRestart, nmi};
constexpr Reset openbmcResets[] = {on,           forceOn,         forceOff,   gracefulShutdown,
                                   forceRestart, gracefulRestart, powerCycle, nmi};
constexpr Reset amiResets[] = {on, forceOff, gracefulShutdown, forceRestart};

constexpr Habit idrac9Habits[] = {wantsEventTypes,  refusesVerifyCertificate, skuIsSerial,       importsProfiles,
                                  logsAreOfManager, newTasksAreNotFound,      expandsCollections};
constexpr Habit idrac10Habits[] = {skuIsSerial,         importsProfiles,  logsAreOfManager, newTasksAreNotFound,
                                   expandsCollections,  mediaAreOfSystem, hasSensorsOnly,   bootIsInSettings,
                                   secondDriveTakesCds, conflictsEarlyOn};
constexpr Habit iloHabits[] = {pathsEndInSlash, hasNoEventStream,  refusesVerifyCertificate,
                               ejectWantsBody,  refusesBootInPost, leavesMediaAfterPower};
constexpr Habit xccHabits[] = {hasNoEventStream,  mediaByPatchOnly,        secondDriveTakesCds,
                               insertedShowsLate, secondDriveIsForUploads, losesEarlyOn};
constexpr Habit supermicroHabits[] = {wantsEventTypes,   dropsBootWithoutDuration, bootsLegacyUnlessToldUefi,
                                      cdIsUsbCd,         flagsAreReadOnly,         hasOneDrive,
                                      weakTagsDoNotMatch};
constexpr Habit openbmcHabits[] = {namesNoVendor,      refusesLostSessionsWith403,
                                   resetsByActionInfo, erasesNothing,
                                   hasSensorsOnly,     hasLeakDetector,
                                   takesHttpsOnly,     hasOneDrive};
constexpr Habit amiHabits[] = {namesNoVendor,        logsAreOfManager, wantsIfMatch,
                               wantsWholeBootChange, bootIsInSettings, namesTransferProtocol};

constexpr Traits plain{};
constexpr Traits idrac9{
    .bmcModel = "16G Monolithic", .paths = ofIdrac9, .resets = idrac9Resets, .habits = idrac9Habits};
constexpr Traits idrac10{
    .bmcModel = "17G Monolithic", .paths = ofIdrac10, .resets = idrac10Resets, .habits = idrac10Habits};
constexpr AcCycle hpeCycle{"Hpe/HpeComputerSystemExt.SystemReset", "AuxCycle"};
constexpr Traits ilo5{
    .bmcModel = "iLO 5", .paths = ofIlo, .resets = iloResets, .habits = iloHabits, .acCycle = hpeCycle};
constexpr Traits ilo6{
    .bmcModel = "iLO 6", .paths = ofIlo, .resets = iloResets, .habits = iloHabits, .acCycle = hpeCycle};
constexpr Traits xcc{.bmcModel = "Lenovo XClarity Controller",
                     .paths = ofXcc,
                     .resets = xccResets,
                     .habits = xccHabits,
                     .acCycle = {"LenovoComputerSystem.SystemReset", "ACPowerCycle"}};
constexpr Traits supermicro{.bmcModel = "ASPEED",
                            .paths = ofSupermicro,
                            .resets = supermicroResets,
                            .habits = supermicroHabits,
                            .acCycle = {"OemSystemExtensions.Reset", "ACCycle"}};
constexpr Traits openbmc{.bmcModel = "OpenBmc", .paths = ofOpenbmc, .resets = openbmcResets, .habits = openbmcHabits};
constexpr Traits ami{.bmcModel = "AST2600", .paths = ofAmi, .resets = amiResets, .habits = amiHabits, .oem = "Ami"};

bool isAtOrBelow(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

std::string_view lastSegment(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Each path that a text names, with its own form in its place.
std::string withOwnPaths(const Traits& traits, std::string_view text) {
  constexpr std::string_view root = "/redfish/v1/";
  std::string out;
  while (true) {
    const auto begin = text.find(root);
    out += text.substr(0, begin);
    if (begin == text.npos) return out;
    text.remove_prefix(begin);
    const auto end = std::min(text.find_first_of(" \"'<>,;?"), text.size());
    out += ownPath(traits, text.substr(0, end));
    text.remove_prefix(end);
  }
}

void putOwnId(const Traits& traits, json::Object& resource) {
  const auto* path = resource.if_contains("@odata.id");
  auto* id = resource.if_contains("Id");
  if (path == nullptr || id == nullptr || !path->is_string() || !id->is_string()) return;
  const std::string_view plainName = path->get_string();
  if (std::string_view(id->get_string()) == lastSegment(plainName)) *id = lastSegment(ownPath(traits, plainName));
}

}  // namespace

bool Traits::has(Habit habit) const { return std::ranges::find(habits, habit) != habits.end(); }

bool Traits::offers(Reset reset) const { return resets.empty() || std::ranges::find(resets, reset) != resets.end(); }

const Traits& traitsOf(Personality personality) {
  switch (personality) {
    case Personality::plain: break;
    case Personality::idrac9: return idrac9;
    case Personality::idrac10: return idrac10;
    case Personality::ilo5: return ilo5;
    case Personality::ilo6: return ilo6;
    case Personality::xcc: return xcc;
    case Personality::supermicro: return supermicro;
    case Personality::openbmc: return openbmc;
    case Personality::ami: return ami;
  }
  return plain;
}

bool cdBootsByImport(const Traits& traits, std::string_view bmcFirmware) {
  int major = 0;
  std::from_chars(bmcFirmware.data(), bmcFirmware.data() + bmcFirmware.size(), major);
  return traits.has(importsProfiles) && !(&traits == &idrac9 && (major == 6 || major == 7));
}

std::optional<std::string> plainPath(const Traits& traits, std::string_view path) {
  for (const auto& [plainName, own] : traits.paths)
    if (isAtOrBelow(path, own)) {
      auto plain = std::string(plainName) + std::string(path.substr(own.size()));
      return ownPath(traits, plain) == path ? std::optional(std::move(plain)) : std::nullopt;
    }
  for (const auto& [plainName, own] : traits.paths)
    if (isAtOrBelow(path, plainName)) return std::nullopt;
  return std::string(path);
}

std::string ownPath(const Traits& traits, std::string_view path) {
  for (const auto& [plainName, own] : traits.paths)
    if (isAtOrBelow(path, plainName)) return std::string(own) + std::string(path.substr(plainName.size()));
  return std::string(path);
}

void putOwnPaths(const Traits& traits, json::Value& body) {
  if (traits.paths.empty()) return;
  if (body.is_string()) {
    body = withOwnPaths(traits, body.get_string());
  } else if (body.is_array()) {
    for (auto& item : body.get_array()) putOwnPaths(traits, item);
  } else if (body.is_object()) {
    putOwnId(traits, body.get_object());
    for (auto& member : body.get_object()) putOwnPaths(traits, member.value());
    auto* path = body.get_object().if_contains("@odata.id");
    if (path != nullptr && traits.has(pathsEndInSlash) && path->is_string() && !path->get_string().ends_with('/'))
      path->get_string().push_back('/');
  }
}

}  // namespace ingot::sim::redfish
