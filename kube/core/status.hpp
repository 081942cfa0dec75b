// metav1.Status: what the server answers instead of an object (spec/kubernetes-api.md §5).
#pragma once

#include "json/describe.hpp"

#include <string>
#include <vector>

namespace ingot::kube {

struct StatusCause {
  std::string reason, message, field;

  static void describe(auto& v) {
    v.field("reason", &StatusCause::reason);
    v.field("message", &StatusCause::message);
    v.field("field", &StatusCause::field);
  }
};

struct StatusDetails {
  std::string name, group, kind, uid;
  std::vector<StatusCause> causes;
  std::int64_t retryAfterSeconds = 0;

  static void describe(auto& v) {
    v.field("name", &StatusDetails::name);
    v.field("group", &StatusDetails::group);
    v.field("kind", &StatusDetails::kind);
    v.field("uid", &StatusDetails::uid);
    v.field("causes", &StatusDetails::causes);
    v.field("retryAfterSeconds", &StatusDetails::retryAfterSeconds);
  }
};

struct Status {
  std::string status;  // Success | Failure
  std::string message, reason;
  StatusDetails details;
  std::int64_t code = 0;

  static void describe(auto& v) {
    v.field("status", &Status::status);
    v.field("message", &Status::message);
    v.field("reason", &Status::reason);
    v.field("details", &Status::details);
    v.field("code", &Status::code);
  }
};

}  // namespace ingot::kube
