// What an operator asks a BMC for once, by an annotation: an NMI, an AC cycle (docs/decisions/0024). The annotation is
// taken off before the BMC is asked, so that it is done once or not at all; what cannot be done at once is not done
// later either. An Event tells how it ended.
#pragma once

#include "coordinator/host/scope.hpp"

namespace ingot::coordinator::host {

// Before the pass, which may take the results of power commands for its own.
void tellEndedOneShots(Scope& s);

// After the pass, which may have sent a power command.
void takeOneShots(Scope& s, State state, const Step& step);

}  // namespace ingot::coordinator::host
