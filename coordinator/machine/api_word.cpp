#include "coordinator/machine/api_word.hpp"

namespace ingot::coordinator::machine {

MachineError unproved(std::string_view what, std::string_view why) {
  return {Problem::waiting, fmt::format("it cannot be told whether {} is gone: {}", what, why)};
}

bool isOf(const kube::Error& error, const std::string& name) {
  return error.code() == kube::Error::Code::notFound && error.status().reason == "NotFound" &&
         error.status().details.name == name;
}

}  // namespace ingot::coordinator::machine
