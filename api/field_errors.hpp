// What admission says of single fields, in the words of an API server's 422 answer.
#pragma once

#include "json/value.hpp"
#include "kube/core/status.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ingot::api {

class FieldErrors {
 public:
  // The value is shown quoted, or as JSON.
  void invalid(std::string field, std::string_view value, std::string_view problem);
  void invalidObject(std::string field, const json::Value& value, std::string_view problem);
  void required(std::string field, std::string_view problem);
  void forbidden(std::string field, std::string_view problem);

  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] std::size_t size() const { return all_.size(); }
  [[nodiscard]] const std::vector<kube::StatusCause>& all() const { return all_; }
  // `IPPool.ipam.metal3.io "name" is invalid: spec.gateway: Invalid value: …`
  [[nodiscard]] std::string message(std::string_view groupKind, std::string_view name) const;

 private:
  std::vector<kube::StatusCause> all_;
};

}  // namespace ingot::api
