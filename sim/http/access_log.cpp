#include "sim/http/access_log.hpp"

#include "base/error.hpp"
#include "json/value.hpp"

namespace ingot::sim {

AccessLog::AccessLog(base::Clock& clock, const std::string& path) : clock_(clock), file_(path, std::ios::app) {
  if (!file_) throw base::Error("the access log " + path + " cannot be written");
}

void AccessLog::record(const std::string& machine, const net::ServerRequest& request) {
  file_ << json::serialize(json::Object{{"time", base::formatMicroTime(clock_.wall())},
                                        {"machine", machine},
                                        {"method", request.method},
                                        {"path", request.target}})
        << std::endl;
}

}  // namespace ingot::sim
