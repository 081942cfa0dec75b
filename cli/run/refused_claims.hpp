// Claims for addresses that were refused to the data of a machine: nobody asks for them again by itself.
#pragma once

#include "cli/decide/machine_progress.hpp"
#include "cli/run/session.hpp"

namespace ingot::cli {

// Takes the refusals off, so that they are answered anew, and says which. One that may not be written, or that somebody
// else has just written, is told as a note.
[[nodiscard]] base::Task<void> clearRefusals(Session& session, MachinePicture picture);

}  // namespace ingot::cli
