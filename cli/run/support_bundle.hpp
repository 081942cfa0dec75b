// A support bundle with what is redacted in it said from outside: the command redacts everything, a test leaves a rule
// out.
#pragma once

#include "cli/bundle/redaction.hpp"
#include "cli/command/command.hpp"
#include "cli/run/session.hpp"

namespace ingot::cli {

// The path of the file. Throws Failure when nothing could be collected, or the file cannot be written.
[[nodiscard]] base::Task<std::string> makeSupportBundle(Session& session, SupportBundleCommand command,
                                                        bundle::Redaction redaction);

}  // namespace ingot::cli
