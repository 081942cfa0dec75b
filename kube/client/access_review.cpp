#include "kube/client/access_review.hpp"

namespace ingot::kube {
namespace {

const Resource ofOwn{.group = "authorization.k8s.io",
                     .version = "v1",
                     .kind = "SelfSubjectAccessReview",
                     .plural = "selfsubjectaccessreviews",
                     .namespaced = false},
    ofSubject{.group = "authorization.k8s.io",
              .version = "v1",
              .kind = "SubjectAccessReview",
              .plural = "subjectaccessreviews",
              .namespaced = false};

}  // namespace

base::Task<bool> isAllowed(Api& api, Whose whose, json::Object spec) {
  const Resource& reviews = whose == Whose::own ? ofOwn : ofSubject;
  const json::Value answer = co_await api.create(
      reviews, "",
      json::Object{{"apiVersion", reviews.apiVersion()}, {"kind", reviews.kind}, {"spec", std::move(spec)}});
  co_return json::boolAt(answer, {"status", "allowed"}).value_or(false);
}

}  // namespace ingot::kube
