#include "apiserver/discovery/virtual_resources.hpp"

namespace ingot::apiserver {

namespace {

constexpr VirtualResource kReviews[] = {
    {"authentication.k8s.io", "v1", "selfsubjectreviews", "selfsubjectreview", "SelfSubjectReview"},
    {"authentication.k8s.io", "v1", "tokenreviews", "tokenreview", "TokenReview"},
    {"authorization.k8s.io", "v1", "localsubjectaccessreviews", "localsubjectaccessreview", "LocalSubjectAccessReview",
     true},
    {"authorization.k8s.io", "v1", "selfsubjectaccessreviews", "selfsubjectaccessreview", "SelfSubjectAccessReview"},
    {"authorization.k8s.io", "v1", "selfsubjectrulesreviews", "selfsubjectrulesreview", "SelfSubjectRulesReview"},
    {"authorization.k8s.io", "v1", "subjectaccessreviews", "subjectaccessreview", "SubjectAccessReview"},
};

}  // namespace

std::span<const VirtualResource> virtualResources() { return kReviews; }

const VirtualResource* findVirtual(std::string_view group, std::string_view plural) {
  for (const auto& one : kReviews)
    if (one.group == group && one.plural == plural) return &one;
  return nullptr;
}

}  // namespace ingot::apiserver
