// How a withheld write is answered, and what it would have changed. Pure.
#pragma once

#include "coordinator/shadow/decision.hpp"
#include "net/client.hpp"

#include <optional>
#include <string>

namespace ingot::coordinator::shadow {

struct Answered {
  net::HttpResponse response;
  // nullopt: nothing would have been written, because the server would have refused it.
  std::optional<Decision> decision;
};

// What a server gives, and this makes up.
struct Given {
  std::string uid;  // begins with madeUp
  base::WallTime now{};
  std::string salt;  // of hideSecrets()
};

// `request`: a write of `target`. `there`: the object as it is, nullopt: there is none. The decision has no controller
// yet.
[[nodiscard]] Answered answerOf(const net::HttpRequest& request, const ObjectId& object, const std::string& subresource,
                                const std::optional<json::Value>& there, const Given& given);

// The version of the object that a change was decided on, as it says; "": it does not.
[[nodiscard]] std::string guardOf(const net::HttpRequest& request);

// Of a request that changes something in Ironic; `record`: what is at its path, null: nothing.
[[nodiscard]] net::HttpResponse ironicAnswerOf(const net::HttpRequest& request, const json::Value& record,
                                               const Given& given);
// "/v1/nodes/ID/states/power: power on": what may be told of it, for it may hold passwords.
[[nodiscard]] std::string ironicWishOf(const net::HttpRequest& request);

// A Status, as Kubernetes refuses.
[[nodiscard]] net::HttpResponse refusal(int code, std::string_view reason, const std::string& message);

}  // namespace ingot::coordinator::shadow
