// Which labels of a host belong on its Node, and what has to change there (spec/capm3.md §19). Pure.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace ingot::coordinator::label_sync {

using Labels = std::map<std::string, std::string>;
using Prefixes = std::set<std::string, std::less<>>;

// "a.example.com, b.example.com": what annotation metal3.io/metal3-label-sync-prefixes names. Throws base::InvalidInput
// with the first one that is no DNS subdomain.
[[nodiscard]] Prefixes prefixesIn(std::string_view list);

// The labels whose prefix is one of these.
[[nodiscard]] Labels under(const Prefixes& prefixes, const Labels& labels);

// Label by label what a Node needs to have `wanted` under the prefixes and nothing else; nullopt: the label goes.
using Changes = std::map<std::string, std::optional<std::string>>;
[[nodiscard]] Changes changesFor(const Prefixes& prefixes, const Labels& wanted, const Labels& present);

}  // namespace ingot::coordinator::label_sync
