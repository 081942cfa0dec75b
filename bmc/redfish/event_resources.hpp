// What a BMC says of its events, as Redfish names it (spec/bmc.md §13.2).
#pragma once

#include "bmc/redfish/resources.hpp"

namespace ingot::bmc::redfish {

struct EventService {
  Fact<bool> isEnabled;
  Fact<std::string> serverSentEventUri;
  Fact<Link> subscriptions;
  Fact<std::vector<std::string>> eventTypes, formats;
  static void describe(auto& v) {
    v.field("ServiceEnabled", &EventService::isEnabled);
    v.field("ServerSentEventUri", &EventService::serverSentEventUri);
    v.field("Subscriptions", &EventService::subscriptions);
    v.field("EventTypesForSubscription", &EventService::eventTypes);
    v.field("EventFormatTypes", &EventService::formats);
  }
};

struct EventDestination {
  Fact<std::string> destination, context;
  static void describe(auto& v) {
    v.field("Destination", &EventDestination::destination);
    v.field("Context", &EventDestination::context);
  }
};

}  // namespace ingot::bmc::redfish
