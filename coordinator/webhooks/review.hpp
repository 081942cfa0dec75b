// What AdmissionReview and ConversionReview have in common (spec/kubernetes-api.md §9).
#pragma once

#include "apiserver/registry/status.hpp"
#include "json/value.hpp"

#include <string>
#include <string_view>

namespace ingot::coordinator::webhooks {

// There is no review to answer in, or none of a form that we know: the answer is this HTTP status with a Status.
class BadRequest final : public base::Error {
 public:
  BadRequest(int httpStatus, const std::string& text) : Error(text), httpStatus_(httpStatus) {}
  [[nodiscard]] int httpStatus() const { return httpStatus_; }

 private:
  int httpStatus_;
};

struct ReviewKind {
  std::string_view apiVersion, kind;
};

// The member `request` of a review, which has a uid. Throws BadRequest, which names what would be right.
[[nodiscard]] const json::Value& requestOf(const json::Value& review, ReviewKind wanted);

// `response` gets the uid of the request.
[[nodiscard]] json::Value reviewWith(ReviewKind kind, const json::Value& request, json::Object response);

// "v1beta1" of "infrastructure.cluster.x-k8s.io/v1beta1".
struct GroupVersion {
  std::string group, version;
};
[[nodiscard]] GroupVersion groupVersionOf(std::string_view apiVersion);

}  // namespace ingot::coordinator::webhooks
