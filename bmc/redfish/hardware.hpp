// The parts of Redfish resources that an inventory is taken from (spec/bmc.md §17.2).
#pragma once

#include "bmc/redfish/resources.hpp"

namespace ingot::bmc::redfish {

struct MemorySummary {
  Fact<double> gib;
  static void describe(auto& v) { v.field("TotalSystemMemoryGiB", &MemorySummary::gib); }
};

struct ProcessorSummary {
  Fact<double> logical;
  Fact<std::string> model;
  static void describe(auto& v) {
    v.field("LogicalProcessorCount", &ProcessorSummary::logical);
    v.field("Model", &ProcessorSummary::model);
  }
};

struct SystemHardware {
  Fact<std::string> manufacturer, model, serialNumber, sku, biosVersion, hostName;
  Fact<MemorySummary> memorySummary;
  Fact<ProcessorSummary> processorSummary;
  Fact<Link> processors, memory, ethernetInterfaces, storage, simpleStorage;
  Fact<json::Value> pcieDevices;  // links, or that to a collection
  struct Links {
    std::vector<Link> chassis;
    static void describe(auto& v) { v.field("Chassis", &Links::chassis); }
  };
  Fact<Links> links;
  static void describe(auto& v) {
    using S = SystemHardware;
    v.field("Manufacturer", &S::manufacturer);
    v.field("Model", &S::model);
    v.field("SerialNumber", &S::serialNumber);
    v.field("SKU", &S::sku);
    v.field("BiosVersion", &S::biosVersion);
    v.field("HostName", &S::hostName);
    v.field("MemorySummary", &S::memorySummary);
    v.field("ProcessorSummary", &S::processorSummary);
    v.field("Processors", &S::processors);
    v.field("Memory", &S::memory);
    v.field("EthernetInterfaces", &S::ethernetInterfaces);
    v.field("Storage", &S::storage);
    v.field("SimpleStorage", &S::simpleStorage);
    v.field("PCIeDevices", &S::pcieDevices);
    v.field("Links", &S::links);
  }
};

struct Processor {
  Fact<std::string> path, id, name, type, architecture, instructionSet, model;
  Fact<double> megahertz, threads, cores;
  Fact<Status> status;
  static void describe(auto& v) {
    v.field("@odata.id", &Processor::path);
    v.field("Id", &Processor::id);
    v.field("Name", &Processor::name);
    v.field("ProcessorType", &Processor::type);
    v.field("ProcessorArchitecture", &Processor::architecture);
    v.field("InstructionSet", &Processor::instructionSet);
    v.field("Model", &Processor::model);
    v.field("MaxSpeedMHz", &Processor::megahertz);
    v.field("TotalThreads", &Processor::threads);
    v.field("TotalCores", &Processor::cores);
    v.field("Status", &Processor::status);
  }
};

struct MemoryModule {
  Fact<std::string> path, id, name, locator;
  Fact<double> mib;
  Fact<Status> status;
  static void describe(auto& v) {
    v.field("@odata.id", &MemoryModule::path);
    v.field("Id", &MemoryModule::id);
    v.field("Name", &MemoryModule::name);
    v.field("DeviceLocator", &MemoryModule::locator);
    v.field("CapacityMiB", &MemoryModule::mib);
    v.field("Status", &MemoryModule::status);
  }
};

struct Storage {
  Fact<std::vector<Link>> drives;
  static void describe(auto& v) { v.field("Drives", &Storage::drives); }
};

struct DriveIdentifier {
  Fact<std::string> name, format;
  static void describe(auto& v) {
    v.field("DurableName", &DriveIdentifier::name);
    v.field("DurableNameFormat", &DriveIdentifier::format);
  }
};

struct Drive {
  Fact<std::string> id, name, model, manufacturer, serialNumber, mediaType, protocol;
  Fact<double> bytes;
  Fact<std::vector<DriveIdentifier>> identifiers;
  Fact<Status> status;
  static void describe(auto& v) {
    v.field("Id", &Drive::id);
    v.field("Name", &Drive::name);
    v.field("Model", &Drive::model);
    v.field("Manufacturer", &Drive::manufacturer);
    v.field("SerialNumber", &Drive::serialNumber);
    v.field("MediaType", &Drive::mediaType);
    v.field("Protocol", &Drive::protocol);
    v.field("CapacityBytes", &Drive::bytes);
    v.field("Identifiers", &Drive::identifiers);
    v.field("Status", &Drive::status);
  }
};

struct SimpleDevice {
  Fact<std::string> name, model, manufacturer;
  Fact<double> bytes;
  Fact<Status> status;
  static void describe(auto& v) {
    v.field("Name", &SimpleDevice::name);
    v.field("Model", &SimpleDevice::model);
    v.field("Manufacturer", &SimpleDevice::manufacturer);
    v.field("CapacityBytes", &SimpleDevice::bytes);
    v.field("Status", &SimpleDevice::status);
  }
};

struct SimpleStorage {
  Fact<std::string> path;
  Fact<std::vector<SimpleDevice>> devices;
  static void describe(auto& v) {
    v.field("@odata.id", &SimpleStorage::path);
    v.field("Devices", &SimpleStorage::devices);
  }
};

}  // namespace ingot::bmc::redfish
