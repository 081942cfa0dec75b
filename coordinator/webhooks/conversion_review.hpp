// Answers to ConversionReview (apiextensions.k8s.io/v1): the conversions that the embedded API runs in process, of our
// kinds.
#pragma once

#include "coordinator/webhooks/review.hpp"

#include <optional>

namespace ingot::coordinator::webhooks {

// One review, whose list may be long: an object a step, so that others have a turn between. `review` is lent.
//   ConversionAnswer work(review);
//   while (work.step()) {}
//   json::Value answer = std::move(work).take();
// An object that cannot be converted fails the whole review, whose message names it.
class ConversionAnswer {
 public:
  // Throws BadRequest for what is no ConversionReview.
  explicit ConversionAnswer(const json::Value& review);

  [[nodiscard]] bool step();  // false: all is done
  [[nodiscard]] json::Value take() &&;

 private:
  [[nodiscard]] json::Value converted(const json::Value& object) const;

  const json::Value& request_;
  GroupVersion wanted_;
  const json::Array* objects_ = nullptr;
  json::Array converted_;
  std::optional<std::string> failure_;
};

[[nodiscard]] json::Value answer(const json::Value& review);

}  // namespace ingot::coordinator::webhooks
