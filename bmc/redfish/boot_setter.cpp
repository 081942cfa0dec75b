#include "bmc/redfish/boot_setter.hpp"

#include "bmc/redfish/dell_cd_boot.hpp"
#include "bmc/redfish/walker.hpp"

#include <array>

namespace ingot::bmc::redfish {

namespace {

// Of a host that is in POST (spec/bmc.md §7.4).
constexpr std::array<std::chrono::seconds, 6> pauses{std::chrono::seconds(5),  std::chrono::seconds(10),
                                                     std::chrono::seconds(20), std::chrono::seconds(30),
                                                     std::chrono::seconds(30), std::chrono::seconds(30)};

constexpr std::array<std::chrono::seconds, 3> looks{std::chrono::seconds(1), std::chrono::seconds(3),
                                                    std::chrono::seconds(6)};

std::string durationOf(const BootSetting& setting) {
  if (setting.device == BootDevice::none) return "Disabled";
  return setting.persistent ? "Continuous" : "Once";
}

}  // namespace

base::Task<BootLasts> BootSetter::set(BootSetting setting, WritePermit permit) {
  if (setting.mode) co_await setMode(*setting.mode, permit);
  if (setting.device == BootDevice::cdrom && quirks_.has(Quirk::cdBootByImport)) {
    co_await bootFromCdByImport(clock_, connection_, lane_, systemPath_, std::move(permit));
    co_return BootLasts::once;
  }
  const auto set = co_await setDevice(setting, durationOf(setting), permit);
  if (const auto* lasts = std::get_if<BootLasts>(&set)) co_return *lasts;
  if (setting.persistent && setting.device != BootDevice::none) {  // some know no Continuous
    const auto once = co_await setDevice(setting, "Once", permit);
    if (const auto* lasts = std::get_if<BootLasts>(&once)) co_return *lasts;
  }
  throw co_await failure(std::get<Refusal>(set));
}

base::Task<void> BootSetter::setOrder(std::vector<std::string> order, WritePermit permit) {
  const json::Array wanted(order.begin(), order.end());
  auto resources = co_await read();
  if (auto refused = co_await write(std::move(resources), json::Object{{"BootOrder", wanted}}, std::move(permit))) {
    const bool isNotTaken = refused->status == 400 && !refused->body.saysNotNow();  // by an OEM resource, maybe
    const auto failed = co_await failure(*refused);
    throw isNotTaken ? Error(Error::Code::unsupported, failed.what()) : failed;
  }
  for (std::size_t i = 0;; ++i) {
    const auto after = co_await read();
    const auto isIn = [&](const json::Value& resource) {
      const auto* shown = json::arrayAt(resource, {"Boot", "BootOrder"});
      return shown != nullptr && *shown == wanted;
    };
    if (isIn(after.system) || isIn(after.settings)) co_return;
    if (i == looks.size())
      throw Error(Error::Code::notReached, fmt::format("{}: the BMC took a boot order and shows another", systemPath_));
    co_await clock_.sleepFor(looks.at(i));
  }
}

base::Task<BootSetter::Resources> BootSetter::read() {
  auto system = co_await connection_.read<json::Value>(lane_, systemPath_);
  Resources resources{.system = std::move(system.resource), .systemEtag = std::move(system.etag)};
  resources.settingsPath = json::textAt(resources.system, {"@Redfish.Settings", "SettingsObject", "@odata.id"});
  if (resources.settingsPath.empty()) co_return resources;
  try {
    auto settings = co_await connection_.read<json::Value>(lane_, resources.settingsPath);
    resources.settings = std::move(settings.resource);
    resources.settingsEtag = std::move(settings.etag);
  } catch (const Error& error) {
    // Many link to one that they do not have. What cannot be read now may be the one that takes the change.
    if (error.code() != Error::Code::unsupported && error.code() != Error::Code::refused) throw;
  }
  co_return resources;
}

// The host is off or will be switched soon, and boots in this mode then. A BMC that neither shows a mode nor takes one
// has nothing to choose.
base::Task<void> BootSetter::setMode(BootMode mode, WritePermit permit) {
  auto resources = co_await read();
  const auto now = bootStateIn(resources.system, resources.settings);
  if (isInMode(now, mode)) co_return;
  const auto refused = co_await write(std::move(resources), bootModeChange(now, mode, quirks_), std::move(permit));
  if (refused && !now.mode.empty()) throw co_await failure(*refused);
}

base::Task<std::variant<BootLasts, Refusal>> BootSetter::setDevice(BootSetting setting, std::string enabled,
                                                                   WritePermit permit) {
  auto resources = co_await read();
  const auto now = bootStateIn(resources.system, resources.settings);
  const auto target = bootTarget(setting.device, now, quirks_);
  if (!target)
    throw Error(Error::Code::unsupported,
                fmt::format("{} does not offer to boot from {}", systemPath_, toText(setting.device)));
  auto change = bootChange(now, *target, enabled, setting.mode, quirks_);
  const auto wanted = enabled == "Continuous" ? BootLasts::always : BootLasts::once;
  if (change.empty()) co_return wanted;
  const bool isShownHere = splitBoot(change, resources.settings).settings.empty();
  if (auto refused = co_await write(std::move(resources), std::move(change), std::move(permit)))
    co_return std::move(*refused);
  if (enabled == "Disabled") co_return wanted;
  if (!isShownHere) co_return co_await pending(*target, wanted);
  co_return co_await shown(*target, enabled);
}

// Settings are taken over at the next boot. Some know one duration only.
base::Task<BootLasts> BootSetter::pending(std::string target, BootLasts wanted) {
  const auto after = co_await read();
  const bool isOnce = json::textAt(after.settings, {"Boot", "BootSourceOverrideTarget"}) == target &&
                      json::textAt(after.settings, {"Boot", "BootSourceOverrideEnabled"}) == "Once";
  co_return isOnce ? BootLasts::once : wanted;
}

// Some show a change a moment later, and some know one duration only.
base::Task<BootLasts> BootSetter::shown(std::string target, std::string enabled) {
  for (std::size_t i = 0;; ++i) {
    const auto after = co_await read();
    const auto now = bootStateIn(after.system, after.settings);
    if (now.target == target && now.enabled != "Disabled")
      co_return now.enabled == "Continuous" ? BootLasts::always : BootLasts::once;
    if (i == looks.size())
      throw Error(Error::Code::notReached, fmt::format("{}: the BMC took {} {} as what to boot from, and shows {} {}",
                                                       systemPath_, target, enabled, now.target, now.enabled));
    co_await clock_.sleepFor(looks.at(i));
  }
}

base::Task<std::optional<Refusal>> BootSetter::write(Resources resources, json::Object change, WritePermit permit) {
  for (std::size_t attempt = 0;; ++attempt) {
    auto refused = co_await writeOnce(resources, change, permit);
    const bool passes = refused && (refused->body.has("UnableToModifyDuringSystemPOST") || refused->body.saysNotNow());
    if (!passes || attempt == pauses.size()) co_return refused;
    co_await clock_.sleepFor(pauses.at(attempt));
  }
}

base::Task<std::optional<Refusal>> BootSetter::writeOnce(Resources resources, json::Object change, WritePermit permit) {
  const auto [settings, system] = splitBoot(change, resources.settings);
  if (!settings.empty()) {
    const auto body = json::serialize(json::Object{{"Boot", settings}});
    auto set = co_await connection_.patch(lane_, resources.settingsPath, body, resources.settingsEtag, permit);
    if (set.refused) co_return std::move(set.refused);
  }
  if (system.empty()) co_return std::nullopt;
  const auto body = json::serialize(json::Object{{"Boot", system}});
  co_return (co_await connection_.patch(lane_, systemPath_, body, resources.systemEtag, permit)).refused;
}

base::Task<Error> BootSetter::failure(Refusal refusal) {
  const auto code = refusal.status == 405 || refusal.status == 501 ? Error::Code::unsupported
                    : refusal.status >= 500                        ? Error::Code::busy
                                                                   : Error::Code::refused;
  co_return Error(code, fmt::format("{} refused what to boot from: HTTP {}: {}", systemPath_, refusal.status,
                                    co_await connection_.messages().textOf(lane_, refusal.body)));
}

}  // namespace ingot::bmc::redfish
