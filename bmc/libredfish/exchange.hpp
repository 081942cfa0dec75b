// One request on libredfish's thread, and how its end comes back to the loop.
#pragma once

#include "base/task.hpp"
#include "bmc/libredfish/services.hpp"
#include "net/client.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string_view>

namespace ingot::bmc::libredfish {

struct MethodTraits {
  bool carriesBody = false;
};
// nullopt: libredfish knows no such method.
[[nodiscard]] std::optional<MethodTraits> traitsOf(std::string_view method);

struct Outcome {
  bool isAnswered = false;     // false: libredfish has no answer, and does not say why
  bool lacksLocation = false;  // there was one, and libredfish cut it off
  net::HttpResponse response;
};

// Hands the request over. `done` is called through `executor`, once, whatever becomes of the request; that keeps the
// loop running until then. Of the services only the thread of `service` sees it.
void startExchange(const Service& service, const net::HttpRequest& request, const std::string& url,
                   std::chrono::seconds limit, const base::Executor& executor, std::function<void(Outcome)> done);

// Wakes a thread that may have missed that it has something to do. Where it has not, it does a request that libcurl
// refuses.
void nudge(const Service& service);

}  // namespace ingot::bmc::libredfish
