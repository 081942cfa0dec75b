// Accounts and roles (spec/bmc.md §14).
#include "json/codec.hpp"
#include "sim/redfish/call.hpp"

namespace ingot::sim::redfish {

namespace {
constexpr std::string_view accountsPath = "/redfish/v1/AccountService/Accounts";
}

std::string accountPath(const Account& account) { return fmt::format("{}/{}", accountsPath, account.id); }

json::Object passwordChangeRequired(const Account& account) {
  return messageInfo("PasswordChangeRequired",
                     fmt::format("The password of this account must be changed at '{}' before it may do anything else.",
                                 accountPath(account)),
                     {accountPath(account)});
}

namespace resources {

namespace {

constexpr std::string_view rolesPath = "/redfish/v1/AccountService/Roles";

json::Object bodyOf(const Account& account) {
  auto body = resource(accountPath(account), "ManagerAccount.v1_12_0.ManagerAccount", account.id, "User Account");
  body["UserName"] = account.user;
  body["Password"] = nullptr;  // is never told
  body["RoleId"] = account.role;
  body["Enabled"] = account.enabled;
  body["Locked"] = false;
  body["PasswordChangeRequired"] = account.passwordChangeRequired;
  body["AccountTypes"] = json::Array{"Redfish"};
  body["Links"] = {{"Role", link(fmt::format("{}/{}", rolesPath, account.role))}};
  return body;
}

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

// What a client asks of an account: each of these is checked before any is taken over.
class Change {
 public:
  Change(const Accounts& accounts, Account account) : accounts_(accounts), account_(std::move(account)) {}

  // The answer to a value that is refused.
  std::optional<Reply> read(const json::Object& wanted) {
    for (const auto& [name, value] : wanted)
      if (auto refused = readOne(name, value)) return refused;
    // What is asked for wins over what follows from a new password, in whichever order the two were sent.
    if (mustChange_) account_.passwordChangeRequired = *mustChange_;
    return std::nullopt;
  }

  [[nodiscard]] const Account& account() const { return account_; }
  [[nodiscard]] bool isEmpty() const { return !takesAny_; }
  // Messages about properties that were left out: unknown ones, and those that nobody may write.
  [[nodiscard]] const json::Array& leftOut() const { return leftOut_; }

 private:
  std::optional<Reply> readOne(std::string_view name, const json::Value& value) {
    if (name.starts_with("@")) return std::nullopt;
    const bool isFlag = isOneOf(name, {"Enabled", "PasswordChangeRequired"});
    if (!isFlag && !isOneOf(name, {"UserName", "Password", "RoleId"})) return leaveOut(name), std::nullopt;
    if (isFlag ? !value.is_bool() : !value.is_string())
      return error(400, "PropertyValueTypeError",
                   fmt::format("The value of the property {} is of a wrong type.", name));
    takesAny_ = true;
    if (name == "Enabled") account_.enabled = value.as_bool();
    if (name == "PasswordChangeRequired") mustChange_ = value.as_bool();
    if (name == "UserName") return rename(std::string(value.as_string()));
    if (name == "RoleId") return giveRole(std::string(value.as_string()));
    if (name == "Password") return setPassword(std::string(value.as_string()));
    return std::nullopt;
  }

  void leaveOut(std::string_view name) {
    if (bodyOf(account_).contains(name))
      leftOut_.push_back(
          messageInfo("PropertyNotWritable", fmt::format("The property {} is read-only.", name), {std::string(name)}));
    else
      leftOut_.push_back(messageInfo("PropertyUnknown",
                                     fmt::format("The property {} is not in the list of properties.", name),
                                     {std::string(name)}));
  }

  // A colon would end the name where a login by Basic is taken apart.
  std::optional<Reply> rename(const std::string& user) {
    if (user.empty() || user.size() > maxUserNameLength || user.contains(':'))
      return error(400, "PropertyValueFormatError",
                   fmt::format("The property UserName takes 1 to {} characters, no colon.", maxUserNameLength));
    const Account* other = accounts_.named(user);
    if (other != nullptr && other->id != account_.id)
      return error(409, "ResourceAlreadyExists", fmt::format("There is an account of the name '{}' already.", user));
    account_.user = user;
    return std::nullopt;
  }

  std::optional<Reply> giveRole(const std::string& role) {
    if (findRole(role) == nullptr) return valueNotInList("RoleId", role);
    account_.role = role;
    return std::nullopt;
  }

  std::optional<Reply> setPassword(const std::string& password) {
    if (password.size() < minPasswordLength || password.size() > maxPasswordLength)
      return error(
          400, "PropertyValueFormatError",
          fmt::format("The property Password takes {} to {} characters.", minPasswordLength, maxPasswordLength));
    account_.password = password;
    account_.passwordChangeRequired = false;
    return std::nullopt;
  }

  const Accounts& accounts_;
  Account account_;
  std::optional<bool> mustChange_;
  bool takesAny_ = false;
  json::Array leftOut_;
};

// Why this client may not change these properties of this account; nullopt: it may.
std::optional<Reply> whyNotThese(const Call& call, const Account& account) {
  const auto& wanted = call.body.as_object();
  const auto wants = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::any_of(names, [&](std::string_view name) { return wanted.contains(name); });
  };
  const bool anything = call.user->may(Privilege::configureUsers);
  if (!anything && account.id != call.user->id) return insufficientPrivilege();
  const bool passwordOnly = !wants({"UserName", "RoleId", "Enabled", "PasswordChangeRequired"});
  if (!anything && !passwordOnly) return insufficientPrivilege();
  if (call.user->passwordChangeRequired && !passwordOnly)
    return refusal(403, json::Array{passwordChangeRequired(*call.user)});
  return std::nullopt;
}

bool keepsWhatItIs(const Account& before, const Account& after) {
  return before.user == after.user && before.role == after.role && before.enabled == after.enabled;
}

}  // namespace

Reply accountService(Call& call) {
  auto body = resource(call.path, "AccountService.v1_15_0.AccountService", "AccountService", "Account Service");
  body["ServiceEnabled"] = true;
  body["MinPasswordLength"] = minPasswordLength;
  body["MaxPasswordLength"] = maxPasswordLength;
  body["Accounts"] = link(accountsPath);
  body["Roles"] = link(rolesPath);
  return ok(std::move(body));
}

Reply accounts(Call& call) {
  std::vector<std::string> members;
  for (const auto& account : call.state.accounts.all()) members.push_back(accountPath(account));
  return ok(collection(accountsPath, "ManagerAccount", "Account Collection", members));
}

Reply account(Call& call) {
  const Account* account = call.state.accounts.find(call.ids.at(0));
  if (account == nullptr) return notFound(call.path);
  if (account->id != call.user->id && !call.user->may(Privilege::configureUsers)) return insufficientPrivilege();
  return ok(bodyOf(*account));
}

Reply createAccount(Call& call) {
  call.action = "create account";
  const auto& wanted = call.body.as_object();
  for (const auto* name : {"UserName", "Password", "RoleId"})
    if (!wanted.contains(name))
      return error(400, "PropertyMissing", fmt::format("The property {} is required.", name), {name});
  Change change(call.state.accounts, {});
  if (auto refused = change.read(wanted)) return std::move(*refused);
  if (!change.leftOut().empty()) return refusal(400, change.leftOut());
  call.detail = change.account().user;
  const Account* made = call.state.accounts.add(change.account());
  if (made == nullptr)
    return error(400, "CreateLimitReachedForResource", "The service has no room for another account.");
  return created(bodyOf(*made), accountPath(*made));
}

Reply patchAccount(Call& call) {
  call.action = "change account";
  Account* account = call.state.accounts.find(call.ids.at(0));
  if (account == nullptr) return notFound(call.path);
  call.detail = account->user;
  if (auto refused = whyNotThese(call, *account)) return std::move(*refused);
  Change change(call.state.accounts, *account);
  if (auto refused = change.read(call.body.as_object())) return std::move(*refused);
  if (change.isEmpty())
    return change.leftOut().empty()
               ? error(400, "NoOperation", "The request body has nothing that changes the resource.")
               : refusal(400, change.leftOut());

  // Nobody shall be locked out of the whole service.
  if (call.state.accounts.isBuiltIn(*account) && !keepsWhatItIs(*account, change.account()))
    return error(400, "PropertyNotWritable",
                 "The account that the service is delivered with keeps its name, role and state.");

  if (change.account().user != account->user || !change.account().enabled) call.state.sessions.closeOf(account->user);
  *account = change.account();
  call.machine.logged.notifyAll();  // streams of events look whether their account may still have them
  auto body = bodyOf(*account);
  if (!change.leftOut().empty()) body["@Message.ExtendedInfo"] = change.leftOut();
  return ok(std::move(body));
}

Reply deleteAccount(Call& call) {
  call.action = "delete account";
  const Account* account = call.state.accounts.find(call.ids.at(0));
  if (account == nullptr) return notFound(call.path);
  call.detail = account->user;
  if (call.state.accounts.isBuiltIn(*account)) {
    auto refused =
        error(405, "ResourceCannotBeDeleted", "The account that the service is delivered with cannot be deleted.");
    refused.headers.set("Allow", "GET, HEAD, PATCH");
    return refused;
  }
  call.state.sessions.closeOf(account->user);
  call.state.accounts.remove(account->id);
  call.machine.logged.notifyAll();
  return noContent();
}

Reply roleCollection(Call&) {
  std::vector<std::string> members;
  for (const auto& role : roles()) members.push_back(fmt::format("{}/{}", rolesPath, role.id));
  return ok(collection(rolesPath, "Role", "Role Collection", members));
}

Reply role(Call& call) {
  const Role* role = findRole(call.ids.at(0));
  if (role == nullptr) return notFound(call.path);
  auto body = resource(call.path, "Role.v1_3_3.Role", role->id, "User Role");
  body["RoleId"] = role->id;
  body["IsPredefined"] = true;
  json::Array privileges;
  for (const auto privilege : role->privileges) privileges.emplace_back(nameOf(privilege));
  body["AssignedPrivileges"] = std::move(privileges);
  return ok(std::move(body));
}

}  // namespace resources

}  // namespace ingot::sim::redfish
