// A BMC that answers anything: the input is its answers in order, each with status, headers and body. The driver reads,
// switches and logs out. It must end soon, with a value or with a bmc::Error in one printable line without the
// password, and must not send more resets than there are names of reset types.
#include "net/loopback.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/no_processes.hpp"

#include "bmc/bmc_pool.hpp"
#include "bmc/each_capability.hpp"

#include <algorithm>
#include <cstdlib>

namespace {

using namespace ingot;

constexpr std::string_view between = "\n--\n", password = "never-tell-41d0e2b9";
constexpr std::size_t longestInput = 8192;
constexpr int mostResets = 12;  // the words of ResetType, and some said twice

void must(bool holds) {
  if (!holds) std::abort();
}

// "200 Location: /x" and the body behind the first line.
net::HttpResponse answerOf(std::string_view text) {
  const auto line = text.substr(0, text.find('\n'));
  net::HttpResponse answer{.status = 200};
  if (line.size() >= 3) std::from_chars(line.data(), line.data() + 3, answer.status);
  answer.status = std::clamp(answer.status, 200, 599);
  if (const auto colon = line.find(": "); line.size() > 4 && colon != std::string_view::npos && colon > 4)
    answer.headers.add(std::string(line.substr(4, colon - 4)), std::string(line.substr(colon + 2)));
  if (line.size() < text.size()) answer.body = std::string(text.substr(line.size() + 1));
  return answer;
}

// Answers from the input, and from its beginning again when it is used up.
class Bmc final : public net::HttpHandler {
 public:
  explicit Bmc(std::string_view script) : script_(script), rest_(script) {}
  int resets = 0;

  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    if (request.method == "POST" && request.body.contains("ResetType")) ++resets;
    const auto end = rest_.find(between);
    const auto text = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? script_ : rest_.substr(end + between.size());
    if (text == "abort") co_return out.abort();
    co_await out.send(answerOf(text));
  }

 private:
  std::string_view script_, rest_;
};

template <class Attempt>
void ends(Attempt attempt) {
  try {
    attempt();
  } catch (const bmc::Error& error) {
    const std::string text = error.what();
    must(!text.empty() && text.size() < 4096 && !text.contains(password));
    must(std::ranges::none_of(text, [](unsigned char c) { return c < 0x20; }));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size > longestInput) return 0;
  tests::Loop loop;
  net::Loopback network(loop.runtime);
  tests::NoProcesses processes;
  Bmc answers({reinterpret_cast<const char*>(data), size});
  network.serve("https://bmc.example:443", answers);
  const bool named = size % 2 == 0;  // the system is in the address, or has to be found
  const auto driver = bmc::openDriver(
      loop.runtime, {network, processes},
      {.address = bmc::parseAddress(named ? "redfish://bmc.example/redfish/v1/Systems/1" : "redfish://bmc.example"),
       .login = {"admin", base::Secret(std::string(password))}});
  ends([&] { (void)loop.run(driver->identity->identify(bmc::Lane::polling)); });
  ends([&] { must(loop.run(driver->power->readPower(bmc::Lane::polling)).raw.size() <= longestInput); });
  ends([&] { (void)loop.run(driver->health->readHealth(bmc::Lane::polling)); });
  for (const auto action : {bmc::PowerAction::on, bmc::PowerAction::hardOff, bmc::PowerAction::softReboot}) {
    answers.resets = 0;
    ends([&] { loop.run(driver->power->requestPower(bmc::Lane::operatorCommand, action, {})); });
    must(answers.resets <= mostResets);
  }
  loop.run(driver->close());
  loop.run(network.close());
  return 0;
}
