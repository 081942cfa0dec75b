// The parts of Redfish resources that logs are read from (spec/bmc.md §13.1).
#pragma once

#include "bmc/redfish/resources.hpp"

namespace ingot::bmc::redfish {

// A system, a manager or a chassis.
struct LogHolder {
  struct Links {
    std::vector<Link> managedBy, managers, chassis;
    static void describe(auto& v) {
      v.field("ManagedBy", &Links::managedBy);
      v.field("Managers", &Links::managers);
      v.field("Chassis", &Links::chassis);
    }
  };
  Fact<Link> logServices;
  Fact<Links> links;
  static void describe(auto& v) {
    v.field("LogServices", &LogHolder::logServices);
    v.field("Links", &LogHolder::links);
  }
};

struct LogService {
  Fact<std::string> odataId, id, entryType;
  Fact<bool> enabled;
  Fact<Link> entries;
  static void describe(auto& v) {
    v.field("@odata.id", &LogService::odataId);
    v.field("Id", &LogService::id);
    v.field("LogEntryType", &LogService::entryType);
    v.field("ServiceEnabled", &LogService::enabled);
    v.field("Entries", &LogService::entries);
  }
};

// In a collection some BMCs show the whole entry, others only where it is.
struct LogEntryResource {
  Fact<std::string> odataId, id, created, eventTimestamp, severity, message, messageId, sensorType, entryCode;
  Fact<std::vector<Fact<std::string>>> messageArgs;
  static void describe(auto& v) {
    v.field("@odata.id", &LogEntryResource::odataId);
    v.field("Id", &LogEntryResource::id);
    v.field("Created", &LogEntryResource::created);
    v.field("EventTimestamp", &LogEntryResource::eventTimestamp);
    v.field("Severity", &LogEntryResource::severity);
    v.field("Message", &LogEntryResource::message);
    v.field("MessageId", &LogEntryResource::messageId);
    v.field("MessageArgs", &LogEntryResource::messageArgs);
    v.field("SensorType", &LogEntryResource::sensorType);
    v.field("EntryCode", &LogEntryResource::entryCode);
  }
};

struct LogEntries {
  std::vector<LogEntryResource> members;
  Fact<std::int64_t> count;
  Fact<std::string> nextLink;
  static void describe(auto& v) {
    v.field("Members", &LogEntries::members);
    v.field("Members@odata.count", &LogEntries::count);
    v.field("Members@odata.nextLink", &LogEntries::nextLink);
  }
};

}  // namespace ingot::bmc::redfish
