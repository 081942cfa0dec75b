// The virtual CD drives of a system's BMC (spec/bmc.md §8).
#pragma once

#include "bmc/quirks.hpp"
#include "bmc/redfish/media_resources.hpp"
#include "bmc/redfish/walker.hpp"

namespace ingot::bmc::redfish {

class MediaDrives {
 public:
  // An image that was put in for this system: where, and as the BMC shows it, or as it was sent as long as it does not.
  struct Placed {
    std::string path, image;
  };

  // `own` is kept as it is then: what was put in last, and not taken out since. In a drive that others share since, it
  // is taken out all the same.
  MediaDrives(base::Clock& clock, Connection& connection, Lane lane, std::string systemPath, Quirks quirks,
              std::optional<Placed>& own)
      : clock_(clock),
        connection_(connection),
        lane_(lane),
        walker_(connection, lane, Walker::Missing::absent),
        systemPath_(std::move(systemPath)),
        quirks_(std::move(quirks)),
        own_(own) {}

  // As MediaControl::insertMedia(), ejectMedia(), insertedMedia().
  [[nodiscard]] base::Task<void> insert(std::string image, WritePermit permit);
  [[nodiscard]] base::Task<void> eject(WritePermit permit);
  [[nodiscard]] base::Task<std::string> inserted();

 private:
  struct Drive {
    std::string path, id, image;
    bool isInserted = false, takesPatch = false;
    bool boots = true;                            // false: it takes an image that no host boots
    std::string etag, insertTarget, ejectTarget;  // "": no such action
  };
  // How it went with one drive; without a refusal it has taken the image.
  struct Tried {
    std::optional<Refusal> refusal;
    bool canInsert = true;
  };
  struct Ejected {
    std::optional<Refusal> refused;
    bool goesOn = false;  // the BMC has only begun
  };
  enum class Where { firstThatHasAny, everywhere };

  [[nodiscard]] base::Task<std::vector<Drive>> drives(Where where);
  [[nodiscard]] base::Task<void> addDrives(std::optional<Link> collection, std::vector<Drive>& into);
  [[nodiscard]] base::Task<void> addDrivesOf(std::string path, MediaManager manager, Where where,
                                             std::vector<Drive>& into);
  [[nodiscard]] Error ofOthers() const;
  [[nodiscard]] base::Task<std::string> whyRefused(Drive drive, Refusal refusal, std::string image = {});
  [[nodiscard]] base::Task<std::optional<Drive>> drive(std::string path);
  [[nodiscard]] base::Task<void> emptyAll(std::string wanted, WritePermit permit);
  void forget(const std::string& path);
  [[nodiscard]] base::Task<void> forgetIfEmpty(std::string path);
  using Looks = std::function<bool(const std::optional<Drive>& now)>;
  [[nodiscard]] base::Task<bool> comesToLook(std::string path, Looks looks, base::Duration within);
  [[nodiscard]] base::Task<void> verifyEmpty(Drive before);
  [[nodiscard]] base::Task<Ejected> ejectFrom(Drive drive, WritePermit permit);
  [[nodiscard]] base::Task<Tried> tryInsert(Drive drive, std::string image, WritePermit permit);
  using Send = std::function<base::Task<Written>()>;
  [[nodiscard]] base::Task<Written> whenRested(Send send);
  [[nodiscard]] base::Task<Written> give(Send send);
  [[nodiscard]] base::Task<Written> patch(const Drive& drive, std::string body, WritePermit permit);
  // Of what the BMC may go on with in a task. nullopt: accepted, or nobody knows.
  [[nodiscard]] base::Task<std::optional<Refusal>> outcomeOf(Written written);
  [[nodiscard]] base::Task<std::optional<Refusal>> failureOf(std::string task);
  [[nodiscard]] base::Task<Tried> tryPatch(Drive drive, std::string image, WritePermit permit);
  [[nodiscard]] base::Task<void> verify(Drive before, std::string image);

  base::Clock& clock_;
  Connection& connection_;
  Lane lane_;
  Walker walker_;
  std::string systemPath_;
  Quirks quirks_;
  std::optional<Placed>& own_;
  std::string shared_;  // a manager whose drives are left, for it serves others as well; "": none is
};

}  // namespace ingot::bmc::redfish
