#include "cli/run/each.hpp"

namespace ingot::cli {

base::Task<ExitCode> forEach(Session& session, std::vector<std::string> names, ForOne what) {
  ExitCode code = ExitCode::done;
  for (const std::string& name : names) {
    try {
      co_await what(name);
    } catch (const base::Cancelled&) {
      throw;
    } catch (const base::Error& error) {
      code = together(code, session.report(error));
    }
  }
  co_return code;
}

}  // namespace ingot::cli
