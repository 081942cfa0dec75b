// What a breach of a schema means to the person who wrote the manifest: the value, and what would be right.
#pragma once

#include "kube/schema/judge.hpp"

namespace ingot::cli {

[[nodiscard]] std::string inWords(const kube::Breach& breach);

// The value for a message, cut where it gets long.
[[nodiscard]] std::string shownValue(const json::Value& value);

}  // namespace ingot::cli
