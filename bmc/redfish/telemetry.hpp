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
  Fact<Link> thermal, power, sensors;
  static void describe(auto& v) {
    v.field("Thermal", &Chassis::thermal);
    v.field("Power", &Chassis::power);
    v.field("Sensors", &Chassis::sensors);
  }
};

struct Thermal {
  struct Temperature {
    Fact<std::string> name, memberId, context;
    Fact<double> celsius;
    Fact<Status> status;
    static void describe(auto& v) {
      v.field("Name", &Temperature::name);
      v.field("MemberId", &Temperature::memberId);
      v.field("PhysicalContext", &Temperature::context);
      v.field("ReadingCelsius", &Temperature::celsius);
      v.field("Status", &Temperature::status);
    }
  };
  struct Fan {
    Fact<std::string> name, fanName, memberId, context, units;
    Fact<double> reading;
    Fact<Status> status;
    static void describe(auto& v) {
      v.field("Name", &Fan::name);
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
  static void describe(auto& v) {
    v.field("Temperatures", &Thermal::temperatures);
    v.field("Fans", &Thermal::fans);
  }
};

struct PowerReadings {
  struct Supply {
    Fact<std::string> name, memberId;
    Fact<double> inputWatts, outputWatts, lastOutputWatts, lineVolts;
    Fact<Status> status;
    static void describe(auto& v) {
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
  struct Voltage {
    Fact<std::string> name, memberId, context;
    Fact<double> volts;
    Fact<Status> status;
    static void describe(auto& v) {
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
  static void describe(auto& v) {
    v.field("PowerSupplies", &PowerReadings::supplies);
    v.field("PowerControl", &PowerReadings::controls);
    v.field("Voltages", &PowerReadings::voltages);
  }
};

struct SensorResource {
  Fact<std::string> name, id, type, units, context;
  Fact<double> reading;
  Fact<Status> status;
  static void describe(auto& v) {
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
