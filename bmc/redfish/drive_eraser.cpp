#include "bmc/redfish/drive_eraser.hpp"

#include "bmc/redfish/hardware_facts.hpp"
#include "bmc/redfish/task.hpp"

#include <fmt/ranges.h>

#include <array>

namespace ingot::bmc::redfish {

namespace {

constexpr std::size_t mostVolumes = 64;    // of one drive
constexpr std::size_t longestTask = 1024;  // bytes of its path

constexpr std::array<std::pair<EraseMethod, std::string_view>, 3> sanitizationTypes{
    {{EraseMethod::cryptographic, "CryptographicErase"},
     {EraseMethod::block, "BlockErase"},
     {EraseMethod::overwrite, "Overwrite"}}};

std::string bodyFor(EraseMethod method) {
  for (const auto& [each, word] : sanitizationTypes)
    if (each == method) return fmt::format(R"({{"SanitizationType":"{}"}})", word);
  return "{}";
}

// A BMC may list what it has done beside what it does.
bool isUnderWay(const DriveOperation& operation) { return !operation.percent || *operation.percent < 100; }

constexpr std::array<std::string_view, 3> goodStates{"Enabled", "StandbyOffline", "StandbySpare"};
constexpr std::array<std::string_view, 2> openEncryption{"Unlocked", "Unencrypted"};

std::string troubleOf(const DriveToErase& drive) {
  if (!drive.status || !drive.status->state) return "it shows no state";
  const auto& state = *drive.status->state;
  if (std::ranges::find(goodStates, state) == goodStates.end()) return "its state is " + state;
  if (drive.status->health == "Critical") return "its health is Critical";
  const auto encryption = textOf(drive.encryption);
  if (!encryption.empty() && std::ranges::find(openEncryption, encryption) == openEncryption.end())
    return "its EncryptionStatus is " + encryption;
  return {};
}

// A drive without power or with a lock may show no capacity.
bool isThere(const DriveToErase& drive) {
  if (isAbsent(drive.status)) return false;
  return isPresent(drive) || !textOf(drive.serialNumber).empty() || !textOf(drive.model).empty();
}

std::string targetIn(const Fact<DriveActions>& actions) {
  if (!actions || !actions->secureErase) return {};
  return actions->secureErase->target.value_or("");
}

// The BMC, not the drive, stands in the way. Other errors of its own (500, 502, 504) leave open whether it has begun.
Error::Code codeOf(const Refusal& refusal) {
  const bool isPassing = refusal.status == 503 || refusal.status == 409 || refusal.status == 429 ||
                         refusal.body.saysNotNow() || refusal.body.has("ResourceInUse") ||
                         refusal.body.has("ServiceTemporarilyUnavailable");
  if (isPassing) return Error::Code::busy;
  return refusal.status >= 500 && refusal.status != 501 ? Error::Code::outcomeUnknown : Error::Code::refused;
}

bool isMadeOfDrives(const Volume& volume) {
  const auto type = textOf(volume.raidType), older = textOf(volume.volumeType);
  return type.empty() ? !older.empty() && older != "RawDevice" : type != "None";
}

}  // namespace

// All of them or none: a drive that is not seen would keep what is on it.
base::Task<std::vector<ErasableDrive>> DriveEraser::drives(std::string systemPath) {
  Walker walker(connection_, lane_);
  const auto system = co_await connection_.get<StorageHolder>(lane_, std::move(systemPath));
  std::vector<ErasableDrive> found;
  for (const auto& controller : co_await walker.memberPaths(system.storage)) {
    const auto storage = co_await walker.get<Storage>(controller);
    std::vector<std::string> paths;
    if (storage && storage->drives) walker.take(*storage->drives, paths);
    for (const auto& path : paths) {
      if (std::ranges::find(found, path, &ErasableDrive::path) != found.end()) continue;
      auto read = co_await walker.get<DriveToErase>(path);
      if (!read || !isThere(*read)) continue;
      auto drive = co_await judged(path, std::move(*read));
      drive.controller = controller;
      found.push_back(std::move(drive));
      if (found.size() > mostErasedDrives)
        throw Error(Error::Code::refused, fmt::format("the BMC shows more than {} drives", mostErasedDrives));
    }
  }
  if (!walker.unread().empty())
    throw Error(Error::Code::busy,
                fmt::format("not all drives could be looked at: {}", fmt::join(walker.unread(), "; ")));
  co_return found;
}

base::Task<std::optional<ErasableDrive>> DriveEraser::drive(std::string path) {
  Walker walker(connection_, lane_, Walker::Missing::absent);
  auto read = co_await walker.get<DriveToErase>(path);
  if (!read || !isThere(*read)) co_return std::nullopt;
  co_return co_await judged(std::move(path), std::move(*read));
}

base::Task<ErasableDrive> DriveEraser::judged(std::string path, DriveToErase found) {
  ErasableDrive drive{.path = std::move(path),
                      .controller = {},
                      .name = textOf(found.id),
                      .vendor = textOf(found.manufacturer),
                      .model = textOf(found.model),
                      .serialNumber = textOf(found.serialNumber),
                      .kind = kindOf(found),
                      .bytes = whole(found.bytes),
                      .methods = {},
                      .unfit = {},
                      .busy = found.operations && std::ranges::any_of(*found.operations, isUnderWay),
                      .trouble = troubleOf(found)};
  if (const auto volume = co_await volumeAround(found.links); !volume.empty())
    drive.unfit = fmt::format("it belongs to the volume {}; delete that first", volume);
  drive.eraseTarget = targetIn(found.actions);
  drive.methods = co_await methods(std::move(found.actions));
  co_return drive;
}

base::Task<std::vector<EraseMethod>> DriveEraser::methods(Fact<DriveActions> actions) {
  std::vector<EraseMethod> offered;
  if (targetIn(actions).empty()) co_return offered;
  auto words = actions->secureErase->types.value_or(std::vector<std::string>{});
  if (words.empty() && actions->secureErase->actionInfo) {
    const auto info = co_await connection_.get<ActionInfo>(lane_, *actions->secureErase->actionInfo);
    for (const auto& parameter : info.parameters)
      if (parameter.name == "SanitizationType") words = parameter.allowableValues;
  }
  for (const auto& [method, word] : sanitizationTypes)
    if (std::ranges::find(words, word) != words.end()) offered.push_back(method);
  if (words.empty()) offered.push_back(EraseMethod::unnamed);
  co_return offered;
}

// The name of one that spans drives; what a controller passes through as it is has no RAID type (spec/bmc.md §12.3).
// One that cannot be read may be any.
base::Task<std::string> DriveEraser::volumeAround(Fact<DriveLinks> links) {
  if (!links) co_return "";
  if (links->volumes.size() > mostVolumes) co_return fmt::format("(one of {})", links->volumes.size());
  for (const auto& link : links->volumes) {
    if (!link.id) continue;
    Volume volume;
    try {
      volume = co_await connection_.get<Volume>(lane_, *link.id);
    } catch (const Error& error) {
      if (error.code() != Error::Code::unsupported) throw;
      continue;  // a link that has outlived it
    }
    if (isMadeOfDrives(volume)) co_return volume.name ? textOf(volume.name) : *link.id;
  }
  co_return "";
}

base::Task<std::string> DriveEraser::erase(ErasableDrive drive, EraseMethod method, WritePermit permit) {
  const auto written = co_await connection_.post(lane_, drive.eraseTarget, bodyFor(method), std::move(permit));
  if (!written.refused) co_return written.task.size() > longestTask ? std::string() : written.task;
  const auto& refused = *written.refused;
  throw Error(codeOf(refused), fmt::format("the BMC refused to erase it: HTTP {}: {}", refused.status,
                                           co_await connection_.messages().textOf(lane_, refused.body)));
}

base::Task<ErasureProgress> DriveEraser::look(std::string task) {
  const auto seen = co_await connection_.look(lane_, std::move(task));
  auto view = co_await inWords(connection_, lane_, viewOf(seen.status, seen.document));
  using State = ErasureProgress::State;
  const bool cannotSay = seen.status == 429 || seen.status >= 500, isNone = seen.status == 405;
  const auto state = view.state == TaskState::running  ? State::running
                     : view.isOther                    ? State::result
                     : view.state == TaskState::done   ? State::done
                     : view.state == TaskState::failed ? State::failed
                     : cannotSay                       ? State::unsaid
                     : isNone                          ? State::noTask
                                                       : State::forgotten;
  if (view.next.size() > longestTask) view.next.clear();
  co_return ErasureProgress{.state = view.next.empty() ? state : State::running,
                            .percent = view.percent,
                            .error = std::move(view.text),
                            .task = std::move(view.next),
                            .since = std::move(view.since)};
}

}  // namespace ingot::bmc::redfish
