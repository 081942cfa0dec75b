#include "api/verdict.hpp"

#include "kube/core/causes.hpp"

namespace ingot::api {

std::string Verdict::message() const { return kube::inOneLine(errors); }

}  // namespace ingot::api
