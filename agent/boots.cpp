#include "agent/boots.hpp"

#include "base/file.hpp"
#include "json/describe.hpp"

#include <sys/stat.h>

namespace ingot::agent {

namespace {

constexpr std::size_t maxBoots = 32;

struct Boots {
  std::string machine;                 // its boot
  std::int64_t device = 0, inode = 0;  // of the lock
  std::vector<std::string> begun;

  static void describe(auto& v) {
    v.field("machine", &Boots::machine);
    v.field("device", &Boots::device);
    v.field("inode", &Boots::inode);
    v.field("begun", &Boots::begun);
  }
};

Boots read(const std::string& path) {
  const auto text = base::readFileIfExists(path);
  if (!text) return {};
  try {
    return json::decode<Boots>(json::parse(*text));
  } catch (const base::Error&) {  // it proves nothing then
    return {};
  }
}

}  // namespace

std::vector<std::string> beginBoot(const base::Log& log, const std::string& dataDir, const std::string& lockPath,
                                   const std::string& machineBoot, const std::string& boot) {
  struct stat lock{};
  if (::stat(lockPath.c_str(), &lock) != 0) throw base::Error(lockPath + ": cannot be looked at");
  const auto path = dataDir + "/boots";
  const Boots before = read(path);
  Boots now{.machine = machineBoot,
            .device = static_cast<std::int64_t>(lock.st_dev),
            .inode = static_cast<std::int64_t>(lock.st_ino),
            .begun = {}};
  const bool same =
      !machineBoot.empty() && before.machine == now.machine && before.device == now.device && before.inode == now.inode;
  if (same) now.begun = before.begun;
  const auto ended = now.begun;
  now.begun.push_back(boot);
  if (now.begun.size() > maxBoots) now.begun.erase(now.begun.begin());
  try {
    base::writeFileAtomically(path, json::serialize(json::encode(now)), 0600);
  } catch (const base::Error& error) {
    log.error(
        "this start cannot be noted: after the next one others wait until the leases of this process have run out",
        {{"error", error.what()}});
  }
  return ended;
}

}  // namespace ingot::agent
