// Hosts and agents as rows of a table.
#pragma once

#include "api/agent/provisioning_agent.hpp"
#include "api/bmh/baremetalhost.hpp"
#include "cli/show/text_table.hpp"

namespace ingot::cli {

struct RowStyle {
  bool wide = false;
  bool withNamespace = false;
};

[[nodiscard]] std::string yesNo(bool yes);  // true | false
void append(Row& row, Row more);

[[nodiscard]] Row hostHeads(RowStyle style);
[[nodiscard]] Row hostRow(const api::BareMetalHost& host, RowStyle style, base::WallTime now);

[[nodiscard]] Row agentHeads(RowStyle style);
[[nodiscard]] Row agentRow(const api::ProvisioningAgent& agent, RowStyle style, base::WallTime now);

[[nodiscard]] Row powerHeads();
[[nodiscard]] Row powerRow(const api::BareMetalHost& host, base::WallTime now);
// {"name", "power": on | off | unknown | null, "wanted": on | off, "unknownSince"}
[[nodiscard]] json::Object powerDocument(const api::BareMetalHost& host);

}  // namespace ingot::cli
