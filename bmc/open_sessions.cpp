#include "bmc/open_sessions.hpp"

#include "base/utf8.hpp"
#include "json/describe.hpp"
#include "json/value.hpp"

namespace ingot::bmc {

namespace {

constexpr std::size_t mostSessions = 8;           // of one account of a BMC: it has not many more
constexpr std::size_t longestSessionPath = 1024;  // what is longer is not kept

struct StoredSessions {
  std::map<std::string, std::vector<std::string>> sessions;
  static void describe(auto& v) { v.field("sessions", &StoredSessions::sessions).required(); }
};

using Sessions = std::map<std::string, std::vector<std::string>>;

// False: it was not there.
bool erase(Sessions& sessions, const std::string& key, const std::string& path) {
  const auto found = sessions.find(key);
  if (found == sessions.end() || std::erase(found->second, path) == 0) return false;
  if (found->second.empty()) sessions.erase(found);
  return true;
}

std::size_t count(const Sessions& sessions, const std::string& key) {
  const auto found = sessions.find(key);
  return found == sessions.end() ? 0 : found->second.size();
}

// For one more of that account. Those that are left are older than those that are open.
void makeRoom(Sessions& left, Sessions& open, const std::string& key) {
  while (count(left, key) + count(open, key) >= mostSessions) {
    auto& from = count(left, key) > 0 ? left : open;
    erase(from, key, std::string(from[key].front()));
  }
}

}  // namespace

OpenSessions::OpenSessions(base::Runtime runtime, const std::string& file, std::shared_ptr<base::Offload> disk)
    : file_(std::move(runtime), file, "the list of open sessions", [this] { return content(); }, std::move(disk)) {
  file_.read([this](const std::string& text) { load(text); });
}

void OpenSessions::load(const std::string& text) {
  for (const auto& [key, paths] : json::decode<StoredSessions>(json::parse(text)).sessions)
    for (const auto& path : paths)
      if (path.starts_with("/") && left_[key].size() < mostSessions) left_[key].push_back(path);
}

std::string OpenSessions::content() const {
  StoredSessions stored;
  for (const auto* sessions : {&left_, &open_})
    for (const auto& [key, paths] : *sessions)
      stored.sessions[key].insert(stored.sessions[key].end(), paths.begin(), paths.end());
  return json::serialize(json::encode(stored));
}

void OpenSessions::opened(const Key& key, const std::string& path) {
  if (path.empty() || path.size() > longestSessionPath || !base::isUtf8(path)) return;
  erase(open_, key, path), erase(left_, key, path);  // its number was given anew
  makeRoom(left_, open_, key);
  open_[key].push_back(path);
  file_.changed();
}

void OpenSessions::closed(const Key& key, const std::string& path) {
  const bool wasLeft = erase(left_, key, path), wasOpen = erase(open_, key, path);
  if (wasLeft || wasOpen) file_.changed();
}

void OpenSessions::remained(const Key& key, const std::string& path) {
  if (!erase(open_, key, path)) return;
  makeRoom(left_, open_, key);
  left_[key].push_back(path);
  file_.changed();
}

std::vector<std::string> OpenSessions::left(const Key& key) const {
  const auto found = left_.find(key);
  if (found == left_.end()) return {};
  return found->second;
}

}  // namespace ingot::bmc
