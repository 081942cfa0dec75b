#include "sim/redfish/accounts.hpp"

#include <algorithm>
#include <array>

namespace ingot::sim::redfish {

bool Role::has(Privilege wanted) const {
  return wanted == Privilege::none || std::ranges::find(privileges, wanted) != privileges.end();
}

std::span<const Role> roles() {
  using enum Privilege;
  static const auto all = std::to_array<Role>({
      {"Administrator", {login, configureManager, configureUsers, configureComponents, configureSelf}},
      {"Operator", {login, configureComponents, configureSelf}},
      {"ReadOnly", {login, configureSelf}},
  });
  return all;
}

const Role* findRole(std::string_view id) {
  const auto found = std::ranges::find(roles(), id, &Role::id);
  return found == roles().end() ? nullptr : &*found;
}

std::string_view nameOf(Privilege privilege) {
  switch (privilege) {
    case Privilege::none: return "";
    case Privilege::login: return "Login";
    case Privilege::configureManager: return "ConfigureManager";
    case Privilege::configureUsers: return "ConfigureUsers";
    case Privilege::configureComponents: return "ConfigureComponents";
    case Privilege::configureSelf: return "ConfigureSelf";
  }
  return "";
}

bool Account::may(Privilege wanted) const {
  const Role* mine = findRole(role);
  return mine != nullptr && mine->has(wanted);
}

Accounts::Accounts(std::string user, std::string password) {
  all_.push_back({.id = "1", .user = std::move(user), .password = std::move(password)});
}

const Account* Accounts::logIn(std::string_view user, std::string_view password) const {
  const Account* account = named(user);
  return account != nullptr && account->enabled && account->password == password ? account : nullptr;
}

const Account* Accounts::named(std::string_view user) const {
  const auto found = std::ranges::find(all_, user, &Account::user);
  return found == all_.end() ? nullptr : &*found;
}

Account* Accounts::find(std::string_view id) {
  const auto found = std::ranges::find(all_, id, &Account::id);
  return found == all_.end() ? nullptr : &*found;
}

const Account* Accounts::add(Account account) {
  if (all_.size() >= maxAccounts) return nullptr;
  account.id = std::to_string(++last_);
  all_.push_back(std::move(account));
  return &all_.back();
}

void Accounts::remove(std::string_view id) {
  std::erase_if(all_, [&](const Account& account) { return account.id == id; });
}

}  // namespace ingot::sim::redfish
