#include "coordinator/webhooks/conversion_review.hpp"

#include "coordinator/webhooks/paths.hpp"

#include <fmt/ranges.h>

namespace ingot::coordinator::webhooks {
namespace {

constexpr ReviewKind conversionReview{.apiVersion = "apiextensions.k8s.io/v1", .kind = "ConversionReview"};

// "Metal3Machine metal3/m1", for people.
std::string named(const json::Value& object) {
  const std::string space = json::textAt(object, {"metadata", "namespace"}),
                    name = json::textAt(object, {"metadata", "name"});
  return json::textAt(object, {"kind"}) + " " + (space.empty() ? name : space + "/" + name);
}

std::string kindsConverted() {
  std::vector<std::string_view> kinds;
  for (const auto& row : api::everyKind())
    if (isServed(row) && row.convert) kinds.push_back(row.stored->kind);
  return fmt::format("{}", fmt::join(kinds, ", "));
}

json::Value requestIn(json::Value review) {
  static_cast<void>(requestOf(review, conversionReview));
  return std::move(review.get_object()["request"]);
}

}  // namespace

ConversionAnswer::ConversionAnswer(json::Value review)
    : request_(requestIn(std::move(review))), wanted_(groupVersionOf(json::textAt(request_, {"desiredAPIVersion"}))) {
  if (wanted_.version.empty()) throw BadRequest(400, "the request of the ConversionReview has no desiredAPIVersion");
  json::Value* objects = request_.get_object().if_contains("objects");
  if (!objects || !objects->is_array())
    throw BadRequest(400, "the request of the ConversionReview has no list of objects");
  objects_ = std::move(objects->get_array());
  converted_.reserve(objects_.size());
}

bool ConversionAnswer::step() {
  if (failure_ || converted_.size() == objects_.size()) return false;
  json::Value& object = objects_[converted_.size()];
  const std::string name = named(object);
  try {
    converted_.push_back(converted(std::move(object)));
  } catch (const base::Error& problem) {
    failure_ = fmt::format("{}: {}", name, problem.what());
  }
  return true;
}

json::Value ConversionAnswer::converted(json::Value object) const {
  if (!object.is_object()) throw base::InvalidInput("objects", "an item is no object");
  const api::KindRow* row = api::rowOf(object);
  if (!row || !isServed(*row) || !row->convert)
    throw base::InvalidInput(
        "kind", fmt::format("\"{}\" of {} is none that is converted here: {}", json::textAt(object, {"kind"}),
                            json::textAt(object, {"apiVersion"}), kindsConverted()));
  if (wanted_.group != row->stored->group)
    throw base::InvalidInput("desiredAPIVersion", fmt::format("group \"{}\" is not the object's", wanted_.group));
  return row->convert(std::move(object), wanted_.version);
}

json::Value ConversionAnswer::take() && {
  if (failure_)
    return reviewWith(conversionReview, request_,
                      {{"result", json::Object{{"status", "Failure"}, {"message", *failure_}}}});
  return reviewWith(conversionReview, request_,
                    {{"convertedObjects", std::move(converted_)}, {"result", json::Object{{"status", "Success"}}}});
}

json::Value answer(json::Value review) {
  ConversionAnswer work(std::move(review));
  while (work.step()) {
  }
  return std::move(work).take();
}

}  // namespace ingot::coordinator::webhooks
