// One BMC as one account sees it: its turns, its session, what is known of it. The hosts behind it share it.
#pragma once

#include "bmc/driver.hpp"
#include "bmc/governor.hpp"
#include "bmc/target.hpp"
#include "bmc/write_permit.hpp"

namespace ingot::bmc {

class Bmc : public std::enable_shared_from_this<Bmc> {
 public:
  Bmc(base::Runtime runtime, const Target& target, std::shared_ptr<Traffic> traffic);
  virtual ~Bmc() = default;
  Bmc(const Bmc&) = delete;
  Bmc& operator=(const Bmc&) = delete;

  // The host that `address` names among those of this BMC.
  [[nodiscard]] virtual Driver host(const Address& address) = 0;

  [[nodiscard]] bool isClosed() const { return isClosed_; }
  [[nodiscard]] bool hasPassword(const base::Secret& password) const { return password_ == password; }

 protected:
  base::Runtime runtime_;
  Governor governor_;

 private:
  friend class BmcUse;
  virtual base::Task<void> logOut() = 0;  // never throws

  base::Secret password_;
  int users_ = 0;
  bool isClosed_ = false;  // the last user has gone: whoever asked now would open a session that nobody closes
};

// A host's use of its BMC. The last that ends logs out.
class BmcUse {
 public:
  explicit BmcUse(std::shared_ptr<Bmc> bmc);
  ~BmcUse();
  BmcUse(const BmcUse&) = delete;
  BmcUse& operator=(const BmcUse&) = delete;

  [[nodiscard]] base::Task<void> end();  // never throws
  void check() const;                    // throws Error{notPermitted} when it has ended
  // The same permit, and none once this use has ended: a request may have waited for its turn. Outlived by this.
  [[nodiscard]] WritePermit untilEnd(WritePermit permit) const;

 private:
  std::shared_ptr<Bmc> bmc_;
  bool hasEnded_ = false;
};

}  // namespace ingot::bmc
