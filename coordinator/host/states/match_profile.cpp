#include "coordinator/host/states/states.hpp"

namespace ingot::coordinator::host::states {

// Left behind by versions that had this as a step of its own.
base::Task<Step> matchProfile(Scope&) { co_return Goto{State::preparing, Failures::forgotten}; }

}  // namespace ingot::coordinator::host::states
