// Kubernetes' Status: what every refused request is answered with.
#pragma once

#include "base/error.hpp"
#include "json/value.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::apiserver {

struct StatusCause {
  std::string reason;   // FieldValueInvalid, FieldValueRequired, NamespaceTerminating …
  std::string message;  // without the field: "Invalid value: \"x\": must be …"
  std::string field;    // "spec.list[0].key"; empty when the cause has none

  friend bool operator==(const StatusCause&, const StatusCause&) = default;
};

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
  explicit ApiError(Status status) : Error(status.message), status_(std::move(status)) {}
  [[nodiscard]] const Status& status() const { return status_; }
  [[nodiscard]] int code() const { return status_.code; }
  [[nodiscard]] const std::string& reason() const { return status_.reason; }

 private:
  Status status_;
};

// Causes of 422 in upstream's words. `value` is the offending value as JSON text.
[[nodiscard]] StatusCause requiredValue(std::string field, std::string_view detail = {});
[[nodiscard]] StatusCause invalidValue(std::string field, std::string_view value, std::string_view detail);
[[nodiscard]] StatusCause forbiddenValue(std::string field, std::string_view detail);
[[nodiscard]] StatusCause unsupportedValue(std::string field, std::string_view value,
                                           const std::vector<std::string>& supported);
[[nodiscard]] StatusCause tooLong(std::string field, std::size_t bytes);
[[nodiscard]] StatusCause duplicateValue(std::string field, std::string_view value);

}  // namespace ingot::apiserver
