// Kubernetes' Status: what every refused request is answered with.
#pragma once

#include "base/error.hpp"
#include "json/value.hpp"
#include "kube/core/causes.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::apiserver {

using kube::duplicateValue;
using kube::forbiddenValue;
using kube::invalidValue;
using kube::jsonText;
using kube::requiredValue;
using kube::StatusCause;
using kube::tooLong;
using kube::unsupportedValue;

struct StatusDetails {
  std::string name, group;
  std::string kind;  // the plural resource; the Kind for reason Invalid
  std::string uid;
  std::vector<StatusCause> causes;
  int retryAfterSeconds = 0;
};

struct Status {
  bool success = false;
  int code = 500;
  std::string reason;
  std::string message;
  std::optional<StatusDetails> details;  // nullopt: the member is absent; empty details: "details":{}
  std::string continueToken;             // metadata.continue of an expired list

  // {"kind":"Status","apiVersion":"v1","metadata":{},…} with the members in Kubernetes' order.
  [[nodiscard]] json::Value toJson() const;
};

// The one exception of this library. HTTP answers code() and status().toJson().
class ApiError final : public base::Error {
 public:
  // `warnings` reach the client beside the refusal.
  explicit ApiError(Status status, std::vector<std::string> warnings = {})
      : Error(status.message), status_(std::move(status)), warnings_(std::move(warnings)) {}
  [[nodiscard]] const Status& status() const { return status_; }
  [[nodiscard]] int code() const { return status_.code; }
  [[nodiscard]] const std::string& reason() const { return status_.reason; }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  Status status_;
  std::vector<std::string> warnings_;
};

}  // namespace ingot::apiserver
