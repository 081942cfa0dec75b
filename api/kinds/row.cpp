#include "api/kinds/row.hpp"

namespace ingot::api {

json::Object byWebhook(std::string_view service, std::string_view space) {
  json::Object at{{"name", json::Value(service)}, {"namespace", json::Value(space)}, {"path", "/convert"}};
  json::Object webhook{{"clientConfig", json::Object{{"service", std::move(at)}}},
                       {"conversionReviewVersions", json::Array{"v1", "v1beta1"}}};
  return {{"strategy", "Webhook"}, {"webhook", std::move(webhook)}};
}

}  // namespace ingot::api
