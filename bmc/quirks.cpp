#include "bmc/quirks.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <charconv>

namespace ingot::bmc {

namespace {

constexpr std::string_view partialBootRefused = "answers 400 to a boot change that leaves a part out";
constexpr std::string_view noCdBoot = "takes Cd as boot device and boots from the disk";

constexpr QuirkRule table[] = {
    {.quirk = Quirk::fullBootRequest, .vendor = "ami", .why = partialBootRefused},
    {.quirk = Quirk::fullBootRequest, .vendor = "asrockrack", .why = partialBootRefused},
    {.quirk = Quirk::fullBootRequest, .vendor = "gigabyte", .why = partialBootRefused},
    {.quirk = Quirk::fullBootRequest, .vendor = "lenovo", .model = "hs350x", .why = "has a BMC of AMI"},
    {.quirk = Quirk::fullBootRequest, .vendor = "lenovo", .model = "gb300", .why = "has a BMC of AMI"},

    {.quirk = Quirk::repeatsBootDuration, .vendor = "supermicro", .why = "drops the boot device otherwise"},
    {.quirk = Quirk::namesBootMode, .vendor = "supermicro", .why = "boots in legacy mode otherwise"},
    {.quirk = Quirk::cdIsUsbCd,
     .vendor = "supermicro",
     .exceptModel = "ars-111gl-nhr",
     .why = "the virtual CD is a USB device"},

    {.quirk = Quirk::cdBootByImport, .vendor = "dell", .generation = {0, 13}, .why = noCdBoot},
    {.quirk = Quirk::cdBootByImport, .vendor = "dell", .generation = {14, 16}, .firmware = {0, 5}, .why = noCdBoot},
    {.quirk = Quirk::cdBootByImport,
     .vendor = "dell",
     .generation = {14, 16},
     .firmware = {8, 1'000'000},
     .why = noCdBoot},
    {.quirk = Quirk::cdBootByImport, .vendor = "dell", .generation = {17, 1'000'000}, .why = noCdBoot},
    {.quirk = Quirk::firstVirtualDriveOnly,
     .vendor = "dell",
     .generation = {17, 1'000'000},
     .why = "the second slot takes an image and does not boot"},
    {.quirk = Quirk::skuIsSerial, .vendor = "dell", .why = "SKU is the service tag"},

    {.quirk = Quirk::remoteDrivesFirst, .vendor = "lenovo", .why = "RDOC slots hold uploads"},
    {.quirk = Quirk::imageMeansInserted, .vendor = "lenovo", .why = "Inserted stays false for a while"},
    {.quirk = Quirk::forceRestartHangs,
     .vendor = "lenovo",
     .model = "sr675",
     .why = "some hang at ForceRestart until they are switched off"},
    {.quirk = Quirk::restsAfterOff,
     .vendor = "lenovo",
     .why = "some (SR675 V3) hang when they are switched on at once"},
};

// The number that a text begins with; 0 for none.
int leadingNumber(std::string_view text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

bool fits(const QuirkRule& rule, const Product& product) {
  const auto model = base::lower(product.model);
  return rule.vendor == product.vendor && model.find(rule.model) != std::string::npos &&
         (rule.exceptModel.empty() || model.find(rule.exceptModel) == std::string::npos) &&
         rule.generation.has(leadingNumber(product.bmcModel)) && rule.firmware.has(leadingNumber(product.bmcFirmware));
}

}  // namespace

std::span<const QuirkRule> quirkTable() { return table; }

Quirks::Quirks(const Product& product) {
  for (const QuirkRule& rule : table)
    if (fits(rule, product)) quirks_.push_back(rule.quirk);
}

bool Quirks::has(Quirk quirk) const { return std::ranges::find(quirks_, quirk) != quirks_.end(); }

}  // namespace ingot::bmc
