// What names, labels and other metadata may look like, with upstream's texts (spec/kubernetes-api.md §4.6).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::kube {

// What a kind's names must look like. Events are named after their reason, capitals and all.
enum class NameRule { subdomain, label, pathSegment };  // RFC 1123 twice; anything that fits between two slashes

// Each: nullopt when fine, else the text after "Invalid value: \"x\": ".
[[nodiscard]] std::optional<std::string> nameProblem(NameRule rule, std::string_view name);
[[nodiscard]] std::optional<std::string> subdomainProblem(std::string_view name);     // RFC 1123, ≤ 253
[[nodiscard]] std::optional<std::string> pathSegmentProblem(std::string_view name);   // not ".", "..", no '/' or '%'
[[nodiscard]] std::optional<std::string> labelNameProblem(std::string_view name);     // RFC 1123 label, ≤ 63
[[nodiscard]] std::optional<std::string> qualifiedNameProblem(std::string_view key);  // [prefix/]name; several: "a; b"
[[nodiscard]] std::optional<std::string> labelValueProblem(std::string_view value);

// As a selector tells them together, metadata tell them one by one.
[[nodiscard]] std::vector<std::string> qualifiedNameProblems(std::string_view key);

}  // namespace ingot::kube
