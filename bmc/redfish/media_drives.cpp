#include "bmc/redfish/media_drives.hpp"

#include "bmc/redfish/media_request.hpp"
#include "bmc/redfish/system_choice.hpp"
#include "bmc/redfish/task.hpp"

#include <array>

namespace ingot::bmc::redfish {

namespace {

constexpr std::size_t mostManagers = 8, mostDrives = 32;  // of all kinds
constexpr int mostSends = 4;                              // of one image to one drive
constexpr int mostRounds = 3;                             // where the BMC is at fault
constexpr int mostTriesInRest = 10;
constexpr base::Duration restPause = std::chrono::seconds(3), emptyWithin = std::chrono::seconds(30);
constexpr base::Duration roundPause = std::chrono::seconds(3);
constexpr std::array<std::chrono::seconds, 4> pollPauses{std::chrono::seconds(1), std::chrono::seconds(2),
                                                         std::chrono::seconds(3), std::chrono::seconds(5)};
constexpr base::Duration shownWithin = std::chrono::seconds(60);

// Drives that say no types may be anything; some CD drives say that they are for DVDs (spec/bmc.md §8.1).
bool isForCds(const Fact<std::vector<std::string>>& types) {
  if (!types || types->empty()) return true;
  return std::ranges::any_of(*types, [](const std::string& type) { return type == "CD" || type == "DVD"; });
}

std::string targetOf(const Fact<MediaAction>& action) { return action ? action->target.value_or("") : std::string(); }

}  // namespace

// What a BMC says of its drives may be stale after an ejection, so each is emptied first, whatever it says.
base::Task<void> MediaDrives::insert(std::string image, WritePermit permit) {
  std::string first, last;
  auto code = Error::Code::unsupported;
  for (int round = 1; round <= mostRounds; ++round) {
    co_await emptyAll(image, permit);
    bool isAtFault = false;
    for (const Drive& drive : co_await drives(Where::firstThatHasAny)) {
      if (!drive.boots) continue;
      own_ = Placed{drive.path, image};  // from now on, even if nobody hears of it
      const auto tried = co_await tryInsert(drive, image, permit);
      if (tried.canInsert && !tried.refusal) co_return co_await verify(drive, image);
      const auto meaning = tried.canInsert ? judgeMedia(tried.refusal->status) : MediaRefusal::nextDrive;
      if (meaning != MediaRefusal::tryAgain) own_.reset();
      if (!tried.canInsert) continue;
      last = co_await whyRefused(drive, *tried.refusal, image);
      if (first.empty()) first = last;
      if (meaning == MediaRefusal::final) throw Error(Error::Code::refused, last);
      code = Error::Code::refused;
      if (meaning != MediaRefusal::tryAgain) continue;
      isAtFault = true;
      if (round < mostRounds)
        break;  // it may load the image all the same: no second drive gets it before this is empty
      co_await emptyAll(image, permit);
    }
    if (!isAtFault) break;
    code = Error::Code::busy;
    if (round < mostRounds) co_await clock_.sleepFor(roundPause);
  }
  if (first.empty() && !shared_.empty()) throw ofOthers();
  if (first.empty()) throw Error(code, systemPath_ + ": its BMC has no virtual CD drive that takes an image");
  throw Error(code, fmt::format("no virtual CD drive took {}: {}{}", shownImage(image), first,
                                first == last ? "" : "; " + last));
}

// Whatever it says: an image may be on its way in.
base::Task<void> MediaDrives::eject(WritePermit permit) {
  const auto all = co_await drives(Where::everywhere);
  if (all.empty() && !shared_.empty()) throw ofOthers();
  for (const Drive& drive : all) {
    const auto refused = (co_await ejectFrom(drive, permit)).refused;
    if (refused && drive.isInserted)
      throw Error(Error::Code::refused, "the image could not be ejected: " + co_await whyRefused(drive, *refused));
    if (drive.isInserted) co_await verifyEmpty(drive);
  }
  own_.reset();
}

base::Task<std::string> MediaDrives::inserted() {
  for (const Drive& drive : co_await drives(Where::firstThatHasAny))
    if (drive.isInserted && drive.boots) co_return drive.image;
  co_return "";
}

// Those of the system, else of its managers; emptied are those of both.
base::Task<std::vector<MediaDrives::Drive>> MediaDrives::drives(Where where) {
  std::vector<Drive> found;
  const auto system = co_await connection_.get<MediaHolder>(lane_, systemPath_);
  co_await addDrives(system.virtualMedia, found);
  if ((found.empty() || where == Where::everywhere) && system.links) {
    std::vector<std::string> managers;
    walker_.take(system.links->managedBy, managers);
    walker_.take(system.links->managers, managers);
    if (managers.size() > mostManagers) managers.resize(mostManagers);
    for (const auto& path : managers)
      if (const auto manager = co_await walker_.get<MediaManager>(path))
        co_await addDrivesOf(path, *manager, where, found);
  }
  if (quirks_.has(Quirk::remoteDrivesFirst))
    std::ranges::sort(found, {},
                      [](const Drive& drive) { return std::pair(!drive.id.starts_with("Remote"), drive.path); });
  co_return found;
}

// What one of several systems boots from is not for the others to take away. They may share the drives since an image
// of this system was put in.
base::Task<void> MediaDrives::addDrivesOf(std::string path, MediaManager manager, Where where,
                                          std::vector<Drive>& into) {
  const auto served = manager.links ? hostsAmong(manager.links->servers) : 0;
  if (served <= 1) co_return co_await addDrives(manager.virtualMedia, into);
  if (!manager.virtualMedia) co_return;
  shared_ = fmt::format("{}, which is the manager of {} systems", path, served);
  if (where != Where::everywhere || !own_) co_return;
  const auto now = co_await drive(own_->path);
  if (!now) co_return;
  if (now->isInserted && now->image == own_->image)
    into.push_back(*now);
  else
    own_.reset();  // what is put in from now on is another's, even if it is the same image
}

Error MediaDrives::ofOthers() const {
  return {Error::Code::unsupported,
          fmt::format("{} has no virtual CD drive of its own: those there are belong to {}, and another of these may "
                      "use them",
                      systemPath_, shared_)};
}

// A BMC may repeat the image that is wanted, or the one that is in the way.
base::Task<std::string> MediaDrives::whyRefused(Drive drive, Refusal refusal, std::string image) {
  auto words = co_await connection_.messages().textOf(lane_, refusal.body);
  for (const auto& url : {image, drive.image}) words = withoutQuery(std::move(words), url);
  co_return fmt::format("{}: HTTP {}: {}", drive.path, refusal.status, words);
}

base::Task<void> MediaDrives::addDrives(std::optional<Link> collection, std::vector<Drive>& into) {
  auto paths = co_await walker_.memberPaths(std::move(collection));
  if (paths.size() > mostDrives) paths.resize(mostDrives);
  for (const auto& path : paths) {
    if (into.size() >= mostDrives) break;
    if (auto found = co_await drive(path)) into.push_back(std::move(*found));
  }
}

// nullopt: it is none for CDs, or cannot be read.
base::Task<std::optional<MediaDrives::Drive>> MediaDrives::drive(std::string path) {
  const auto read = co_await walker_.read<VirtualMediaResource>(path);
  if (!read || !isForCds(read->resource.mediaTypes)) co_return std::nullopt;
  const auto& slot = read->resource;
  Drive drive{.path = path,
              .id = slot.id.value_or(path.substr(path.rfind('/') + 1)),
              .image = slot.image.value_or(""),
              .takesPatch = read->takesPatch,
              .etag = read->etag};
  drive.boots = !quirks_.has(Quirk::firstVirtualDriveOnly) || drive.id == "1";
  drive.isInserted = quirks_.has(Quirk::imageMeansInserted) ? !drive.image.empty() : slot.inserted.value_or(false);
  if (slot.actions) {
    drive.insertTarget = targetOf(slot.actions->insert);
    drive.ejectTarget = targetOf(slot.actions->eject);
  }
  co_return drive;
}

// A drive that has nothing to eject may say anything. One that keeps another image would be booted instead, and one
// whose BMC has only begun to take it out would lose the next.
base::Task<void> MediaDrives::emptyAll(std::string wanted, WritePermit permit) {
  for (const Drive& drive : co_await drives(Where::everywhere)) {
    Ejected ejected;
    try {
      ejected = co_await ejectFrom(drive, permit);
    } catch (const Error& error) {
      if (!concernsOneResource(error) && error.code() != Error::Code::outcomeUnknown) throw;
    }
    const bool heldOne = drive.isInserted && !drive.image.empty();
    if (heldOne && ejected.refused)
      throw Error(Error::Code::refused, fmt::format("{} keeps the image that it holds: {}", drive.path,
                                                    co_await whyRefused(drive, *ejected.refused, wanted)));
    if (heldOne && ejected.goesOn) co_await verifyEmpty(drive);
    co_await forgetIfEmpty(drive.path);
  }
}

void MediaDrives::forget(const std::string& path) {
  if (own_ && own_->path == path) own_.reset();
}

base::Task<void> MediaDrives::forgetIfEmpty(std::string path) {
  if (!own_ || own_->path != path) co_return;
  const auto now = co_await drive(path);
  if (now && !now->isInserted) forget(path);
}

// False: the drive has not come to look so within this time.
base::Task<bool> MediaDrives::comesToLook(std::string path, Looks looks, base::Duration within) {
  const auto deadline = clock_.now() + within;
  for (std::size_t i = 0;; ++i) {
    if (looks(co_await drive(path))) co_return true;
    if (clock_.now() >= deadline) co_return false;
    co_await clock_.sleepFor(pollPauses.at(std::min(i, pollPauses.size() - 1)));
  }
}

base::Task<void> MediaDrives::verifyEmpty(Drive before) {
  const auto isEmpty = [](const std::optional<Drive>& now) { return !now || !now->isInserted; };
  if (!co_await comesToLook(before.path, isEmpty, emptyWithin))
    throw Error(Error::Code::notReached, fmt::format("{} shows an image {} s after it was ejected", before.path,
                                                     emptyWithin / std::chrono::seconds(1)));
  forget(before.path);
}

base::Task<MediaDrives::Ejected> MediaDrives::ejectFrom(Drive from, WritePermit permit) {
  Written written;
  if (from.ejectTarget.empty()) {
    if (!from.takesPatch) co_return Ejected{};
    written = co_await whenRested([&] { return patch(from, R"({"Image":null,"Inserted":false})", permit); });
  } else {
    written = co_await whenRested([&] { return connection_.post(lane_, from.ejectTarget, "", permit); });
    if (written.refused && (written.refused->status == 400 || written.refused->status == 415))
      written = co_await whenRested([&] { return connection_.post(lane_, from.ejectTarget, "{}", permit); });
  }
  const bool goesOn = written.goesOn;
  Ejected ejected{.refused = co_await outcomeOf(std::move(written)), .goesOn = goesOn};
  if (!ejected.refused) co_return ejected;
  if (const auto now = co_await drive(from.path); now && !now->isInserted) co_return Ejected{};
  co_return ejected;
}

base::Task<MediaDrives::Tried> MediaDrives::tryInsert(Drive drive, std::string image, WritePermit permit) {
  if (drive.insertTarget.empty()) co_return co_await tryPatch(std::move(drive), std::move(image), std::move(permit));
  json::Object body{{"Image", image}};
  for (int sends = 1;; ++sends) {
    auto refused = co_await outcomeOf(
        co_await give([&] { return connection_.post(lane_, drive.insertTarget, json::serialize(body), permit); }));
    if (!refused) co_return Tried{};
    auto more = completed(body, refused->body);
    if (!more || sends == mostSends) co_return Tried{std::move(refused)};
    body = std::move(*more);
  }
}

// After a power change a BMC may not touch its drives for a while. One that loads the image before it answers may take
// longer than a request may last: it counts as accepted, and the drive tells what has become of it.
base::Task<Written> MediaDrives::whenRested(Send send) {
  for (int attempt = 1;; ++attempt) {
    Written written;
    try {
      written = co_await send();
    } catch (const Error& error) {
      if (error.code() != Error::Code::outcomeUnknown) throw;
      co_return Written{};
    }
    const bool passes = written.refused && written.refused->body.saysNotNow() && attempt < mostTriesInRest;
    if (!passes) co_return written;
    co_await clock_.sleepFor(restPause);
  }
}

// Of an image. Where this throws an Error, it is not in the drive.
base::Task<Written> MediaDrives::give(Send send) {
  try {
    co_return co_await whenRested(std::move(send));
  } catch (const Error&) {
    own_.reset();
    throw;
  }
}

base::Task<Written> MediaDrives::patch(const Drive& drive, std::string body, WritePermit permit) {
  co_return co_await connection_.patch(lane_, drive.path, std::move(body), drive.etag, std::move(permit));
}

base::Task<std::optional<Refusal>> MediaDrives::outcomeOf(Written written) {
  if (written.refused || written.task.empty()) co_return std::move(written.refused);
  co_return co_await failureOf(std::move(written.task));
}

// Of a task that has ended badly: what it says may be what is missing, or a reason to take another drive.
base::Task<std::optional<Refusal>> MediaDrives::failureOf(std::string task) {
  auto end = co_await followTask(clock_, connection_, lane_, std::move(task), shownWithin);
  if (end.state != TaskState::failed) co_return std::nullopt;  // the drive itself tells
  co_return refusalOf(co_await inWords(connection_, lane_, std::move(end)));
}

base::Task<MediaDrives::Tried> MediaDrives::tryPatch(Drive drive, std::string image, WritePermit permit) {
  if (!drive.takesPatch) co_return Tried{.refusal = std::nullopt, .canInsert = false};
  const json::Object least{{"Image", image}};
  json::Object inserted = least;
  inserted["Inserted"] = true;
  json::Object whole = inserted;
  whole["WriteProtected"] = true;
  std::optional<Refusal> refused;
  for (const auto& body : std::array{whole, inserted, least}) {
    refused = co_await outcomeOf(co_await give([&] { return patch(drive, json::serialize(body), permit); }));
    if (!refused || refused->status != 400) break;
  }
  co_return Tried{std::move(refused)};
}

// A BMC that has answered may still be loading the image. Some show another URL than they were given; what was there
// before and could not be ejected is not it.
base::Task<void> MediaDrives::verify(Drive before, std::string image) {
  const auto holdsIt = [&](const std::optional<Drive>& now) {
    const bool isSo =
        now && now->isInserted && !now->image.empty() && (now->image != before.image || now->image == image);
    if (isSo) own_ = Placed{before.path, now->image};
    return isSo;
  };
  if (!co_await comesToLook(before.path, holdsIt, shownWithin))
    throw Error(Error::Code::notReached,
                fmt::format("{}: the BMC took {}, but does not show it inserted after {} s", before.path,
                            shownImage(image), shownWithin / std::chrono::seconds(1)));
}

}  // namespace ingot::bmc::redfish
