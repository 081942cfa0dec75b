#include "coordinator/host/states/states.hpp"

namespace ingot::coordinator::host::states {

// Versions that had matching a profile as a step of its own may have left a host in this state.
base::Task<Step> matchProfile(Scope&) { co_return Goto{State::preparing, Failures::forgotten}; }

}  // namespace ingot::coordinator::host::states
