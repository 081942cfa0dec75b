// The accounts of a BMC, and what the roles of Redfish allow (spec/bmc.md §14).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::sim::redfish {

constexpr std::size_t maxAccounts = 16;
constexpr std::size_t maxUserNameLength = 32;
constexpr std::size_t minPasswordLength = 8, maxPasswordLength = 64;

enum class Privilege { none, login, configureManager, configureUsers, configureComponents, configureSelf };

// One of the three that every service has. Nobody changes them.
struct Role {
  std::string_view id;
  std::vector<Privilege> privileges;
  [[nodiscard]] bool has(Privilege wanted) const;
};
[[nodiscard]] std::span<const Role> roles();
[[nodiscard]] const Role* findRole(std::string_view id);
[[nodiscard]] std::string_view nameOf(Privilege privilege);

struct Account {
  std::string id, user, password, role = "Administrator";
  bool enabled = true;
  bool passwordChangeRequired = false;  // it may do nothing else before
  [[nodiscard]] bool may(Privilege wanted) const;
};

class Accounts {
 public:
  // The one that the BMC is delivered with. It cannot be deleted.
  Accounts(std::string user, std::string password);

  // nullptr: no enabled account has this name and this password.
  [[nodiscard]] const Account* logIn(std::string_view user, std::string_view password) const;
  [[nodiscard]] const Account* named(std::string_view user) const;
  [[nodiscard]] Account* find(std::string_view id);
  [[nodiscard]] const std::vector<Account>& all() const { return all_; }
  [[nodiscard]] bool isBuiltIn(const Account& account) const { return account.id == all_.front().id; }

  // Gives it an id. nullptr when there is no room.
  const Account* add(Account account);
  void remove(std::string_view id);

 private:
  std::vector<Account> all_;
  unsigned last_ = 1;
};

}  // namespace ingot::sim::redfish
