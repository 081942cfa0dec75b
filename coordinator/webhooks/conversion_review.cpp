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

}  // namespace

ConversionAnswer::ConversionAnswer(const json::Value& review)
    : request_(requestOf(review, conversionReview)),
      wanted_(groupVersionOf(json::textAt(request_, {"desiredAPIVersion"}))),
      objects_(json::arrayAt(request_, {"objects"})) {
  if (wanted_.version.empty()) throw BadRequest(400, "the request of the ConversionReview has no desiredAPIVersion");
  if (!objects_) throw BadRequest(400, "the request of the ConversionReview has no list of objects");
  converted_.reserve(objects_->size());
}

bool ConversionAnswer::step() {
  if (failure_ || converted_.size() == objects_->size()) return false;
  const json::Value& object = (*objects_)[converted_.size()];
  try {
    converted_.push_back(converted(object));
  } catch (const base::Error& problem) {
    failure_ = fmt::format("{}: {}", named(object), problem.what());
  }
  return true;
}

json::Value ConversionAnswer::converted(const json::Value& object) const {
  if (!object.is_object()) throw base::InvalidInput("objects", "an item is no object");
  const api::KindRow* row = api::rowOf(object);
  if (!row || !isServed(*row) || !row->convert)
    throw base::InvalidInput(
        "kind", fmt::format("\"{}\" of {} is none that is converted here: {}", json::textAt(object, {"kind"}),
                            json::textAt(object, {"apiVersion"}), kindsConverted()));
  if (wanted_.group != row->stored->group)
    throw base::InvalidInput("desiredAPIVersion", fmt::format("group \"{}\" is not the object's", wanted_.group));
  return row->convert(object, wanted_.version);
}

json::Value ConversionAnswer::take() && {
  if (failure_)
    return reviewWith(conversionReview, request_,
                      {{"result", json::Object{{"status", "Failure"}, {"message", *failure_}}}});
  return reviewWith(conversionReview, request_,
                    {{"convertedObjects", std::move(converted_)}, {"result", json::Object{{"status", "Success"}}}});
}

json::Value answer(const json::Value& review) {
  ConversionAnswer work(review);
  while (work.step()) {
  }
  return std::move(work).take();
}

}  // namespace ingot::coordinator::webhooks
