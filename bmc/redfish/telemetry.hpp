// The parts of Redfish resources that sensors are read from (spec/bmc.md §5).
#pragma once

#include "bmc/redfish/resources.hpp"

namespace ingot::bmc::redfish {

struct SystemChassis {
  struct Links {
    std::vector<Link> chassis;
    static void describe(auto& v) { v.field("Chassis", &Links::chassis); }
  };
  Fact<Links> links;
  static void describe(auto& v) { v.field("Links", &SystemChassis::links); }
};

struct Chassis {
  Fact<Link> thermal, power, sensors, thermalSubsystem, powerSubsystem, leakDetectors;
  static void describe(auto& v) {
    v.field("Thermal", &Chassis::thermal);
    v.field("Power", &Chassis::power);
    v.field("Sensors", &Chassis::sensors);
    v.field("ThermalSubsystem", &Chassis::thermalSubsystem);
    v.field("PowerSubsystem", &Chassis::powerSubsystem);
    v.field("LeakDetectors", &Chassis::leakDetectors);
  }
};

// Of a reading in Thermal and Power.
struct Limits {
  Fact<double> lowerFatal, lowerCritical, lowerCaution, upperCaution, upperCritical, upperFatal;
  static void describe(auto& v) {
    v.field("LowerThresholdFatal", &Limits::lowerFatal);
    v.field("LowerThresholdCritical", &Limits::lowerCritical);
    v.field("LowerThresholdNonCritical", &Limits::lowerCaution);
    v.field("UpperThresholdNonCritical", &Limits::upperCaution);
    v.field("UpperThresholdCritical", &Limits::upperCritical);
    v.field("UpperThresholdFatal", &Limits::upperFatal);
  }
};

// Whether there are as many parts of a kind as it takes.
struct Redundancy {
  Fact<std::string> path, name;
  Fact<Status> status;
  static void describe(auto& v) {
    v.field("@odata.id", &Redundancy::path);
    v.field("Name", &Redundancy::name);
    v.field("Status", &Redundancy::status);
  }
};

struct Thermal {
  struct Temperature : Limits {
    Fact<std::string> name, memberId, context;
    Fact<double> celsius;
    Fact<Status> status;
    static void describe(auto& v) {
      Limits::describe(v);
      v.field("Name", &Temperature::name);
      v.field("MemberId", &Temperature::memberId);
      v.field("PhysicalContext", &Temperature::context);
      v.field("ReadingCelsius", &Temperature::celsius);
      v.field("Status", &Temperature::status);
    }
  };
  struct Fan : Limits {
    Fact<std::string> path, name, fanName, memberId, context, units;
    Fact<double> reading;
    Fact<Status> status;
    static void describe(auto& v) {
      Limits::describe(v);
      v.field("Name", &Fan::name);
      v.field("@odata.id", &Fan::path);
      v.field("FanName", &Fan::fanName);
      v.field("MemberId", &Fan::memberId);
      v.field("PhysicalContext", &Fan::context);
      v.field("ReadingUnits", &Fan::units);
      v.field("Reading", &Fan::reading);
      v.field("Status", &Fan::status);
    }
  };
  Fact<std::vector<Temperature>> temperatures;
  Fact<std::vector<Fan>> fans;
  Fact<std::vector<Redundancy>> redundancy;
  static void describe(auto& v) {
    v.field("Temperatures", &Thermal::temperatures);
    v.field("Fans", &Thermal::fans);
    v.field("Redundancy", &Thermal::redundancy);
  }
};

struct PowerReadings {
  struct Supply {
    Fact<std::string> path, name, memberId;
    Fact<double> inputWatts, outputWatts, lastOutputWatts, lineVolts;
    Fact<Status> status;
    static void describe(auto& v) {
      v.field("@odata.id", &Supply::path);
      v.field("Name", &Supply::name);
      v.field("MemberId", &Supply::memberId);
      v.field("PowerInputWatts", &Supply::inputWatts);
      v.field("PowerOutputWatts", &Supply::outputWatts);
      v.field("LastPowerOutputWatts", &Supply::lastOutputWatts);
      v.field("LineInputVoltage", &Supply::lineVolts);
      v.field("Status", &Supply::status);
    }
  };
  struct Control {
    Fact<std::string> name, memberId, context;
    Fact<double> watts;
    Fact<Status> status;
    static void describe(auto& v) {
      v.field("Name", &Control::name);
      v.field("MemberId", &Control::memberId);
      v.field("PhysicalContext", &Control::context);
      v.field("PowerConsumedWatts", &Control::watts);
      v.field("Status", &Control::status);
    }
  };
  struct Voltage : Limits {
    Fact<std::string> name, memberId, context;
    Fact<double> volts;
    Fact<Status> status;
    static void describe(auto& v) {
      Limits::describe(v);
      v.field("Name", &Voltage::name);
      v.field("MemberId", &Voltage::memberId);
      v.field("PhysicalContext", &Voltage::context);
      v.field("ReadingVolts", &Voltage::volts);
      v.field("Status", &Voltage::status);
    }
  };
  Fact<std::vector<Supply>> supplies;
  Fact<std::vector<Control>> controls;
  Fact<std::vector<Voltage>> voltages;
  Fact<std::vector<Redundancy>> redundancy;
  static void describe(auto& v) {
    v.field("PowerSupplies", &PowerReadings::supplies);
    v.field("PowerControl", &PowerReadings::controls);
    v.field("Voltages", &PowerReadings::voltages);
    v.field("Redundancy", &PowerReadings::redundancy);
  }
};

struct ThermalSubsystem {
  Fact<Link> fans, leakDetection;
  Fact<std::vector<Redundancy>> redundancy;
  static void describe(auto& v) {
    v.field("Fans", &ThermalSubsystem::fans);
    v.field("LeakDetection", &ThermalSubsystem::leakDetection);
    v.field("FanRedundancy", &ThermalSubsystem::redundancy);
  }
};

// A resource, or what a group says of one.
struct LeakDetector {
  Fact<std::string> path, source, name, deviceName, id, state;
  Fact<Status> status;
  static void describe(auto& v) {
    v.field("@odata.id", &LeakDetector::path);
    v.field("DataSourceUri", &LeakDetector::source);
    v.field("Name", &LeakDetector::name);
    v.field("DeviceName", &LeakDetector::deviceName);
    v.field("Id", &LeakDetector::id);
    v.field("DetectorState", &LeakDetector::state);
    v.field("Status", &LeakDetector::status);
  }
};

struct LeakDetection {
  struct Group {
    Fact<std::vector<LeakDetector>> detectors;
    static void describe(auto& v) { v.field("Detectors", &Group::detectors); }
  };
  Fact<Link> detectors;
  Fact<std::vector<Group>> groups;
  static void describe(auto& v) {
    v.field("LeakDetectors", &LeakDetection::detectors);
    v.field("LeakDetectorGroups", &LeakDetection::groups);
  }
};

struct PowerSubsystem {
  Fact<Link> supplies;
  Fact<std::vector<Redundancy>> redundancy;
  static void describe(auto& v) {
    v.field("PowerSupplies", &PowerSubsystem::supplies);
    v.field("PowerSupplyRedundancy", &PowerSubsystem::redundancy);
  }
};

// A fan or a power supply that is a resource of its own.
struct Part {
  Fact<std::string> path, name, id;
  Fact<Status> status;
  static void describe(auto& v) {
    v.field("@odata.id", &Part::path);
    v.field("Name", &Part::name);
    v.field("Id", &Part::id);
    v.field("Status", &Part::status);
  }
};

struct SensorResource {
  struct Limit {
    Fact<double> reading;
    static void describe(auto& v) { v.field("Reading", &Limit::reading); }
  };
  struct Limits {
    Fact<Limit> lowerFatal, lowerCritical, lowerCaution, upperCaution, upperCritical, upperFatal;
    static void describe(auto& v) {
      v.field("LowerFatal", &Limits::lowerFatal);
      v.field("LowerCritical", &Limits::lowerCritical);
      v.field("LowerCaution", &Limits::lowerCaution);
      v.field("UpperCaution", &Limits::upperCaution);
      v.field("UpperCritical", &Limits::upperCritical);
      v.field("UpperFatal", &Limits::upperFatal);
    }
  };
  Fact<std::string> name, id, type, units, context;
  Fact<double> reading;
  Fact<Limits> limits;
  Fact<Status> status;
  static void describe(auto& v) {
    v.field("Thresholds", &SensorResource::limits);
    v.field("Name", &SensorResource::name);
    v.field("Id", &SensorResource::id);
    v.field("ReadingType", &SensorResource::type);
    v.field("ReadingUnits", &SensorResource::units);
    v.field("PhysicalContext", &SensorResource::context);
    v.field("Reading", &SensorResource::reading);
    v.field("Status", &SensorResource::status);
  }
};

}  // namespace ingot::bmc::redfish
