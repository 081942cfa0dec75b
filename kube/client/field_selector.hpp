// Field selectors of lists and watches (kube/client/options.hpp).
#pragma once

#include <string>
#include <string_view>

namespace ingot::kube {

// "metadata.name=x". Whatever the value holds, others may have written it: it selects by that field alone.
[[nodiscard]] std::string fieldIs(std::string_view field, std::string_view value);

}  // namespace ingot::kube
