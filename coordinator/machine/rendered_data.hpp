// Meta data and network data rendered for a machine: the claim that asks for them, and their arrival
// (spec/capm3.md §15.1, §15.3).
#pragma once

#include "api/capm3/v1beta2/metal3_data.hpp"
#include "api/capm3/v1beta2/metal3_data_claim.hpp"
#include "api/capm3/v1beta2/metal3_data_template.hpp"
#include "api/capm3/v1beta2/metal3_machine.hpp"

namespace ingot::coordinator::machine {

using api::capm3::v1beta2::Metal3Data;
using api::capm3::v1beta2::Metal3DataClaim;
using api::capm3::v1beta2::Metal3DataTemplate;
using api::capm3::v1beta2::Metal3Machine;

// The claim to create, held by its machine and by what will be made for it; nullopt when none is needed or one exists.
// The template's namespace becomes the machine's own when it has none. `dataTemplate`: nullptr when it is not there;
// where it is looked after, the claim bears the finalizer of who answers it, who would add it first: a write less.
[[nodiscard]] std::optional<Metal3DataClaim> missingDataClaim(Metal3Machine& machine, const Metal3DataClaim* existing,
                                                              const Metal3DataTemplate* dataTemplate);

// Of what is called as if it were the machine's: an earlier machine of the same name owns it.
[[nodiscard]] bool isOfEarlierMachine(const kube::ObjectMeta& metadata, const Metal3Machine& machine);
// Whether the data answer the machine's claim.
[[nodiscard]] bool isRenderedFor(const Metal3Data& data, const Metal3Machine& machine);

// Which Metal3Data the machine waits for, noted in its status; nullopt without a data template.
// Throws MachineError(soon) while the claim has none.
[[nodiscard]] std::optional<std::string> settleRenderedData(Metal3Machine& machine, const Metal3DataClaim* claim);

// Takes over the Secrets of the data, but for those that the user gave. Throws MachineError(soon) while they are not
// ready.
void takeRenderedData(Metal3Machine& machine, const Metal3Data* data);

}  // namespace ingot::coordinator::machine
