#include "tests/coordinator/fleet_seeds/machine.hpp"

#include "tests/coordinator/fleet_seeds/pausable.hpp"

namespace ingot::tests {

using namespace std::chrono_literals;

Machine::Machine(std::string name, std::string where, FakeRedfish& redfish, base::Clock& clock, base::Random& random,
                 OnReset onReset)
    : host(std::move(name)),
      address(std::move(where)),
      bmc(redfish),
      clock_(clock),
      random_(random),
      onReset_(std::move(onReset)) {
  bmc.showLog(0);
  bmc.before = [this](const net::ServerRequest&) { return delay(); };
  bmc.instead = [this](const net::ServerRequest& request) { return answer(request); };
  look(false);
}

void Machine::writeLog(int entries) {
  for (int i = 0; i < entries; ++i)
    entries_ += fmt::format(R"({}{{"Id":"{}","Created":"{}","Message":"m","Severity":"Warning"}})",
                            entries_.empty() ? "" : ",", ++logged, base::formatTime(clock_.wall()));
  bmc.showLog(logged, entries_);
}

void Machine::look(bool wishedOn) {
  power_.note(isOn(), clock_.now());
  wish_.note(wishedOn, clock_.now());
  noteNews();
}

void Machine::pushEvents(const base::Executor& executor) {
  news_ = std::make_unique<base::Notifier>(executor);
  bmc.pushes = [this](net::Responder& out) { return push(out); };
}

// A BMC that is in trouble has forgotten who listens.
void Machine::noteNews() {
  const std::pair now(isOn(), logged);
  if (std::exchange(told_, now) != now && news_ && trouble == Trouble::none) news_->notifyAll();
}

base::Task<void> Machine::push(net::Responder& out) {
  co_await out.begin(200, {{"Content-Type", "text/event-stream"}});
  while (trouble != Trouble::losesAnswers) {
    co_await news_->wait();
    co_await out.write("data: {\"Events\":[{\"MessageId\":\"A.1.0.B\"}]}\n\n");
  }
  out.abort();
}

base::Duration Machine::sinceOn(bool on) const { return since(power_, on); }

base::Duration Machine::sinceWished(bool on) const { return since(wish_, on); }

base::Duration Machine::since(const Last& last, bool on) const {
  const auto at = on ? last.on : last.off;
  return at ? clock_.now() - *at : base::Duration(1000h);
}

base::Task<void> Machine::delay() {
  if (trouble == Trouble::silent) co_await clock_.sleepFor(1h);
  if (trouble == Trouble::slow) co_await clock_.sleepFor(std::chrono::milliseconds(2000 + random_.below(10000)));
  co_await clock_.sleepFor(std::chrono::milliseconds(random_.below(random_.below(4) == 0 ? 1500 : 50)));
}

std::optional<net::HttpResponse> Machine::answer(const net::ServerRequest& request) {
  power_.note(isOn(), clock_.now());
  if (trouble == Trouble::busy) return net::HttpResponse{.status = 503};
  if (!request.path().ends_with("ComputerSystem.Reset")) return std::nullopt;
  if (!bmc.admits(request)) return net::HttpResponse{.status = 401};
  if (trouble == Trouble::refusing) return net::HttpResponse{.status = 409};
  const std::string type = json::textAt(json::parse(request.body), {"ResetType"});
  ++taken;
  onReset_(*this, std::string(request.headers.get(PausableTransport::kProcess)), type);
  if (trouble == Trouble::deaf) return net::HttpResponse{.status = 204};
  bmc.powerState = type == "On" || type == "ForceRestart" ? "On" : "Off";
  power_.note(isOn(), clock_.now());
  return net::HttpResponse{.status = trouble == Trouble::losesAnswers ? 0 : 204};
}

}  // namespace ingot::tests
