// What BMCs do otherwise than Redfish says, as a table (spec/bmc.md §16). Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::bmc {

// Whose BMC it is, as far as it says.
struct Product {
  std::string vendor;       // normalised (vendor.hpp)
  std::string model;        // of the system
  std::string bmcModel;     // "16G Monolithic"
  std::string bmcFirmware;  // "7.00.00.171"
};

enum class Quirk {
  fullBootRequest,        // a change of the boot device names device, duration and mode, or is refused
  repeatsBootDuration,    // … names the duration also where it is set already
  namesBootMode,          // … names the mode, where the system shows one
  cdIsUsbCd,              // the virtual CD drive boots as UsbCd
  cdBootByImport,         // … boots only after an import of a Dell server profile
  firstVirtualDriveOnly,  // of the virtual drives only "1" boots
  remoteDrivesFirst,      // of the virtual drives those named Remote* are to be taken first
  imageMeansInserted,     // a virtual drive that names an image holds it, whatever Inserted says
  skuIsSerial,            // SKU is what people call the serial number; SerialNumber is the board's
  forceRestartHangs,      // another restart has to do
  restsAfterOff,          // On right after an off is lost or hangs: ten seconds between them
};

struct NumberRange {
  int from = 0, to = 1'000'000;  // both belong to it
  [[nodiscard]] constexpr bool has(int number) const { return from <= number && number <= to; }
};

// One line of the table. What is empty fits everything. Text is compared in lower case.
struct QuirkRule {
  Quirk quirk;
  std::string_view vendor;
  std::string_view model = {};        // is part of Product::model
  std::string_view exceptModel = {};  // is not
  NumberRange generation = {};        // the number that Product::bmcModel begins with; 0 where it has none
  NumberRange firmware = {};          // … that Product::bmcFirmware begins with; likewise
  std::string_view why = {};          // what is seen without it, for people
};

[[nodiscard]] std::span<const QuirkRule> quirkTable();

class Quirks {
 public:
  Quirks() = default;
  explicit Quirks(const Product& product);
  [[nodiscard]] bool has(Quirk quirk) const;

 private:
  std::vector<Quirk> quirks_;
};

}  // namespace ingot::bmc
