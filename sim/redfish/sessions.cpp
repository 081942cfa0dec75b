#include "sim/redfish/call.hpp"

namespace ingot::sim::redfish::resources {

namespace {

constexpr std::string_view sessionsPath = "/redfish/v1/SessionService/Sessions";

json::Object bodyOf(const Session& session) {
  auto body =
      resource(fmt::format("{}/{}", sessionsPath, session.id), "Session.v1_7_0.Session", session.id, "User Session");
  body["UserName"] = session.user;
  return body;
}

}  // namespace

Reply sessionService(Call& call) {
  auto body = resource(call.path, "SessionService.v1_1_9.SessionService", "SessionService", "Session Service");
  body["SessionTimeout"] = std::chrono::duration_cast<std::chrono::seconds>(sessionIdleLimit).count();
  body["ServiceEnabled"] = true;
  body["Sessions"] = link(sessionsPath);
  return ok(std::move(body));
}

Reply sessions(Call& call) {
  std::vector<std::string> members;
  for (const auto& session : call.state.sessions.all())
    members.push_back(fmt::format("{}/{}", sessionsPath, session.id));
  return ok(collection(sessionsPath, "Session", "Session Collection", members));
}

Reply session(Call& call) {
  const auto* session = call.state.sessions.find(call.ids.at(0));
  return session == nullptr ? notFound(call.path) : ok(bodyOf(*session));
}

Reply openSession(Call& call) {
  call.action = "login";
  call.detail = json::textAt(call.body, {"UserName"});
  const Account* account = call.state.accounts.logIn(call.detail, json::textAt(call.body, {"Password"}));
  if (account == nullptr || call.machine.faults.has(Fault::refusePassword))
    return error(401, "ResourceAtUriUnauthorized", "The user name or password is wrong.");

  const bool full = call.machine.faults.has(Fault::sessionLimit);
  const auto* session =
      full ? nullptr : call.state.sessions.open(account->user, call.runtime.random, call.runtime.clock.now());
  if (!session) return error(503, "SessionLimitExceeded", "The session limit of this service is reached.");
  auto body = bodyOf(*session);
  if (account->passwordChangeRequired) body["@Message.ExtendedInfo"] = json::Array{passwordChangeRequired(*account)};
  auto reply = created(body, std::string(body["@odata.id"].as_string()));
  reply.headers.set("X-Auth-Token", session->token);
  return reply;
}

Reply closeSession(Call& call) {
  call.action = "logout";
  const auto* session = call.state.sessions.find(call.ids.at(0));
  if (session == nullptr) return notFound(call.path);
  const bool anybodys = call.user->may(Privilege::configureManager) && !call.user->passwordChangeRequired;
  if (session->user != call.user->user && !anybodys) return insufficientPrivilege();
  call.state.sessions.close(call.ids.at(0));
  return noContent();
}

}  // namespace ingot::sim::redfish::resources
