// Answers to ConversionReview (apiextensions.k8s.io/v1): the conversions that the embedded API runs in process, of our
// kinds.
#pragma once

#include "coordinator/webhooks/review.hpp"

#include <optional>

namespace ingot::coordinator::webhooks {

// One review, whose list may be long: an object a step, so that others have a turn between.
//   ConversionAnswer work(std::move(review));
//   while (work.step()) {}
//   json::Value answer = std::move(work).take();
// An object that cannot be converted fails the whole review, whose message names it.
class ConversionAnswer {
 public:
  // Throws BadRequest for what is no ConversionReview.
  explicit ConversionAnswer(json::Value review);

  [[nodiscard]] bool step();  // false: all is done
  [[nodiscard]] json::Value take() &&;

 private:
  [[nodiscard]] json::Value converted(json::Value object) const;

  json::Value request_;
  GroupVersion wanted_;
  json::Array objects_;  // those that are converted are moved from
  json::Array converted_;
  std::optional<std::string> failure_;
};

[[nodiscard]] json::Value answer(json::Value review);

}  // namespace ingot::coordinator::webhooks
