// How an image is put to a virtual drive, and what is tried where a BMC wants it otherwise (spec/bmc.md §8.2). Pure.
#pragma once

#include "bmc/redfish/connection.hpp"
#include "json/value.hpp"

#include <optional>
#include <string>

namespace ingot::bmc::redfish {

// The body with what the BMC says is missing; nullopt: it says nothing of the kind, or has been told already.
[[nodiscard]] std::optional<json::Object> completed(const json::Object& body, const ErrorBody& refusal);

enum class MediaRefusal {
  nextDrive,  // this drive takes no images
  tryAgain,   // the BMC is at fault
  final,
};
[[nodiscard]] MediaRefusal judgeMedia(int status);

// An image by an URL without credentials and query, for error texts.
[[nodiscard]] std::string shownImage(const std::string& url);

// *** for the query of `url` in what a BMC says of it, also where its end is cut off: BMCs repeat the URL that they
// were given, and a query may give access.
[[nodiscard]] std::string withoutQuery(std::string text, const std::string& url);

}  // namespace ingot::bmc::redfish
