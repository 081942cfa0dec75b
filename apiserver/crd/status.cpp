#include "apiserver/crd/status.hpp"

#include "apiserver/crd/definition.hpp"

namespace ingot::apiserver {

namespace {

struct Condition {
  std::string_view type;
  bool holds;
  std::string_view reason, message;
};

json::Object statusOf(const json::Value& crd) {
  const json::Object* status = json::objectAt(crd, {"status"});
  return status ? *status : json::Object();
}

// As the time of the last transition: when it began to hold, or no longer to hold.
void setCondition(json::Object& status, const Condition& wanted, base::WallTime now) {
  json::Value& list = status["conditions"];
  if (!list.is_array()) list = json::Array();
  json::Object next{{"type", wanted.type},
                    {"status", wanted.holds ? "True" : "False"},
                    {"lastTransitionTime", base::formatTime(now)},
                    {"reason", wanted.reason},
                    {"message", wanted.message}};
  for (auto& one : list.get_array()) {
    if (json::textAt(one, {"type"}) != wanted.type) continue;
    if (json::textAt(one, {"status"}) == json::textAt(next, {"status"}))
      next["lastTransitionTime"] = json::textAt(one, {"lastTransitionTime"});
    one = std::move(next);
    return;
  }
  list.get_array().push_back(std::move(next));
}

Condition namesAccepted(const Naming& naming) {
  if (naming.complete()) return {"NamesAccepted", true, "NoConflicts", "no conflicts found"};
  return {"NamesAccepted", false, naming.reason, naming.message};
}

Condition established(const Naming& naming) {
  if (naming.complete()) return {"Established", true, "InitialNamesAccepted", "the initial names have been accepted"};
  return {"Established", false, "NotAccepted", "not all names are accepted"};
}

}  // namespace

bool isEstablished(const json::Value& crd) {
  const json::Array* all = json::arrayAt(crd, {"status", "conditions"});
  return all && std::any_of(all->begin(), all->end(), [](const json::Value& one) {
           return json::textAt(one, {"type"}) == "Established" && json::textAt(one, {"status"}) == "True";
         });
}

json::Array storedVersionsOf(const json::Value& crd) {
  json::Array out;
  if (const json::Array* before = json::arrayAt(crd, {"status", "storedVersions"})) out = *before;
  const json::Value present(storageVersionOf(crd));
  if (std::find(out.begin(), out.end(), present) == out.end()) out.push_back(present);
  return out;
}

json::Object acceptedStatus(const json::Value& crd, const Naming& naming, base::WallTime now) {
  json::Object status = statusOf(crd);
  setCondition(status, namesAccepted(naming), now);
  if (!isEstablished(crd)) setCondition(status, established(naming), now);
  status["acceptedNames"] = naming.accepted;
  status["storedVersions"] = storedVersionsOf(crd);
  return status;
}

json::Object terminatingStatus(const json::Value& crd, base::WallTime now) {
  json::Object status = statusOf(crd);
  setCondition(status, {"Terminating", true, "InstanceDeletionInProgress", "CustomResource deletion is in progress"},
               now);
  return status;
}

}  // namespace ingot::apiserver
