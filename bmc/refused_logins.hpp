// Which passwords a BMC has refused, of which of its accounts: BMCs lock an account after a few of them, for everybody.
// Remembered over a restart when given a file.
#pragma once

#include "base/backoff.hpp"
#include "base/runtime.hpp"
#include "base/secret.hpp"
#include "bmc/kept_file.hpp"

#include <map>
#include <string>

namespace ingot::bmc {

struct LockoutTerms {
  base::Backoff wait{.first = std::chrono::seconds(60), .cap = std::chrono::seconds(900), .factor = 5, .jitter = 0};
  base::Duration betweenUrgent = std::chrono::seconds(60);  // an urgent request may try all the same, so seldom
  base::Duration forgotten = std::chrono::minutes(30);      // after the last refusal: the next one is the first again
};

class RefusedLogins {
 public:
  // Names one password of one account of one BMC, without holding the password: of it there are two bytes of a salted
  // digest, which tell it from another one and give nothing away.
  using Key = std::string;

  // `file`: "" for none. One that cannot be read counts as empty, one that cannot be written is logged.
  // `disk`: as of KeptFile.
  explicit RefusedLogins(base::Runtime runtime, LockoutTerms terms = {}, std::string file = "",
                         std::shared_ptr<base::Offload> disk = nullptr);
  RefusedLogins(const RefusedLogins&) = delete;
  RefusedLogins& operator=(const RefusedLogins&) = delete;

  [[nodiscard]] Key keyOf(const std::string& bmc, const std::string& username, const base::Secret& password) const;

  // Not to be tried now. An urgent request that is let through counts as tried.
  [[nodiscard]] bool holds(const Key& key) const;
  [[nodiscard]] bool mayTryUrgently(const Key& key);

  void refused(const Key& key);
  // It was shown, and taken.
  void accepted(const Key& key);

 private:
  struct Refused {
    unsigned times = 0;  // in a row
    base::MonoTime until{};
    base::MonoTime nextUrgent{};
    base::MonoTime last{};
  };
  void load(const std::string& text);
  [[nodiscard]] std::string content() const;
  void makeRoom(base::MonoTime now);

  base::Runtime runtime_;
  LockoutTerms terms_;
  std::string salt_;
  std::map<Key, Refused> refused_;
  KeptFile file_;
};

}  // namespace ingot::bmc
