#include "bmc/refused_logins.hpp"

#include "base/milliseconds.hpp"
#include "json/describe.hpp"
#include "json/value.hpp"

#include <openssl/evp.h>

#include <array>

namespace ingot::bmc {

namespace {

constexpr std::size_t mostKept = 20'000;

struct StoredLogin {
  std::string key;
  std::int64_t times = 0;
  std::int64_t untilMs = 0;  // wall clock
  static void describe(auto& v) {
    v.field("key", &StoredLogin::key).required();
    v.field("times", &StoredLogin::times).required();
    v.field("untilMs", &StoredLogin::untilMs).required();
  }
};

struct StoredLogins {
  std::string salt;
  std::vector<StoredLogin> refused;
  static void describe(auto& v) {
    v.field("salt", &StoredLogins::salt).required();
    v.field("refused", &StoredLogins::refused);
  }
};

std::string tagOf(const std::string& salt, const base::Secret& password) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  std::string text = salt + password.reveal();
  EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
  base::wipe(text);
  return fmt::format("{:02x}{:02x}", digest[0], digest[1]);
}

std::int64_t wallMs(const base::Runtime& runtime) {
  return std::chrono::floor<std::chrono::milliseconds>(runtime.clock.wall()).time_since_epoch().count();
}

}  // namespace

RefusedLogins::RefusedLogins(base::Runtime runtime, LockoutTerms terms, std::string file,
                             std::shared_ptr<base::Offload> disk)
    : runtime_(std::move(runtime)),
      terms_(terms),
      salt_(runtime_.random.uuid()),
      file_(runtime_, std::move(file), "the list of refused passwords", [this] { return content(); }, std::move(disk)) {
  file_.read([this](const std::string& text) { load(text); });
}

RefusedLogins::Key RefusedLogins::keyOf(const std::string& bmc, const std::string& username,
                                        const base::Secret& password) const {
  return fmt::format("{}\n{}\n{}", bmc, username, tagOf(salt_, password));
}

bool RefusedLogins::holds(const Key& key) const {
  const auto found = refused_.find(key);
  return found != refused_.end() && runtime_.clock.now() < found->second.until;
}

bool RefusedLogins::mayTryUrgently(const Key& key) {
  const auto found = refused_.find(key);
  if (found == refused_.end()) return true;
  const auto now = runtime_.clock.now();
  if (now < found->second.nextUrgent) return false;
  found->second.nextUrgent = now + terms_.betweenUrgent;
  return true;
}

void RefusedLogins::refused(const Key& key) {
  const auto now = runtime_.clock.now();
  makeRoom(now);
  auto& entry = refused_[key];
  if (now - std::exchange(entry.last, now) > terms_.forgotten) entry.times = 0;
  entry.until = now + terms_.wait.delay(entry.times++, runtime_.random);
  file_.changed();
}

// When all of them hold, the one that holds no longer first is given up.
void RefusedLogins::makeRoom(base::MonoTime now) {
  if (refused_.size() < mostKept) return;
  std::erase_if(refused_, [&](const auto& it) { return it.second.until <= now; });
  if (refused_.size() < mostKept) return;
  refused_.erase(std::ranges::min_element(refused_, {}, [](const auto& it) { return it.second.until; }));
}

void RefusedLogins::accepted(const Key& key) {
  if (refused_.erase(key) > 0) file_.changed();
}

void RefusedLogins::load(const std::string& text) {
  const auto stored = json::decode<StoredLogins>(json::parse(text));
  salt_ = stored.salt;
  const auto now = runtime_.clock.now();
  for (const auto& login : stored.refused) {
    // A wall clock that was set back would else hold for ever.
    const auto left =
        std::clamp<base::Duration>(base::fromMilliseconds(login.untilMs - wallMs(runtime_)), {}, terms_.wait.cap);
    const auto times = static_cast<unsigned>(std::clamp<std::int64_t>(login.times, 0, 100));
    if (refused_.size() < mostKept) refused_[login.key] = {.times = times, .until = now + left, .last = now};
  }
}

std::string RefusedLogins::content() const {
  StoredLogins stored{.salt = salt_};
  const auto now = runtime_.clock.now();
  for (const auto& [key, entry] : refused_)
    stored.refused.push_back({.key = key,
                              .times = entry.times,
                              .untilMs = wallMs(runtime_) + (entry.until - now) / std::chrono::milliseconds(1)});
  return json::serialize(json::encode(stored));
}

}  // namespace ingot::bmc
