// An agent that is killed at any step of its work: at each of its requests to the BMC, before it goes out and after the
// BMC has obeyed it.
#include "tests/coordinator/agents/cleaned_site.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;

namespace {

// The request at which the agent is to die, by what it asks: a path is read many times, and written to few.
struct Death {
  std::string request;  // "GET /redfish/v1/Systems/1 #1": the first of its kind
  bool isObeyed = false;
};

// Between an agent and its BMC: has it die when that is due, and remembers what it asked until then.
class DeadlyTransport final : public net::HttpTransport {
 public:
  explicit DeadlyTransport(net::HttpTransport& inner) : inner_(inner) {}

  std::unique_ptr<net::HttpClient> connect(net::ClientOptions options) override {
    return std::make_unique<Client>(inner_.connect(std::move(options)), *this);
  }
  // From now on.
  void watch(std::optional<Death> death, Alive alive) {
    death_ = std::move(death);
    alive_ = std::move(alive);
    requests.clear();
    counts_.clear();
    hasStruck = false;
  }

  std::vector<std::string> requests;
  bool hasStruck = false;
  std::function<void()> onStrike;

 private:
  class Client final : public net::HttpClient {
   public:
    Client(std::unique_ptr<net::HttpClient> inner, DeadlyTransport& of) : inner_(std::move(inner)), of_(of) {}
    base::Task<net::HttpResponse> send(net::HttpRequest request) override {
      const bool isLast = of_.isDeadly(request);
      if (isLast && !of_.death_->isObeyed) of_.strike();
      auto response = co_await inner_->send(std::move(request));
      if (isLast) of_.strike();
      co_return response;
    }
    base::Task<std::unique_ptr<net::HttpStream>> open(net::HttpRequest request) override {
      return inner_->open(std::move(request));
    }

   private:
    std::unique_ptr<net::HttpClient> inner_;
    DeadlyTransport& of_;
  };

  bool isDeadly(const net::HttpRequest& request) {
    const auto what = request.method + " " + request.target;
    const bool isRead = request.method == "GET";
    const auto name = fmt::format("{} #{}", what, ++counts_[what]);
    if (!isRead || counts_[what] == 1) requests.push_back(name);
    return death_ && !hasStruck && death_->request == name;
  }
  void strike() {
    if (onStrike) onStrike();
    hasStruck = true;
    *alive_ = false;
    throw net::HttpError(net::HttpError::Code::unreachable, "this process is dead");
  }

  net::HttpTransport& inner_;
  std::optional<Death> death_;
  Alive alive_;
  std::map<std::string, int> counts_;
};

struct Deadly : Cleaned {
  Deadly() {
    aroundAgent = [this](AgentBox&, AgentWorld& world) { world.network = &deadly; };
    deadly.onStrike = [this] { keepDisk(); };
    restart();
    machine().before = [this](const net::ServerRequest& request) -> base::Task<void> {
      const bool changesBoot = request.path().ends_with("/Insert") || request.path().ends_with("/Eject");
      if (changesBoot && machine().powerState == "On") ++underRunningHost;
      co_return;
    };
  }
  ~Deadly() {
    if (box("near").life) killAgent("near");
  }
  void restart() {
    killAgent("near");
    startAgent("near");
  }
  void watch(const std::optional<Death>& death) { deadly.watch(death, box("near").life->alive); }
  // The work ends in that state, with one death on the way where one was due.
  bool ends(const std::string& state, bool mustDie) {
    if (mustDie) {
      if (!until([&] { return deadly.hasStruck; }, 30min)) return false;
      pass(1s);
      killAgent("near");
      putDiskBack();
      startAgent("near");
    }
    return becomes(state, 1h);
  }

  // What its coroutines still write after its death never came to the disk.
  void keepDisk() {
    for (const auto* folder : {&box("near").journal.erasures, &box("near").journal.logs}) {
      if (!std::filesystem::exists(folder->path())) continue;
      const auto copy = copies_.path(std::to_string(kept_.size()));
      std::filesystem::create_directories(copy);
      std::filesystem::copy(folder->path(), copy, std::filesystem::copy_options::recursive);
      kept_.emplace_back(folder->path(), copy);
    }
  }
  void putDiskBack() {
    for (const auto& [folder, copy] : std::exchange(kept_, {})) {
      std::filesystem::remove_all(folder);
      std::filesystem::copy(copy, folder, std::filesystem::copy_options::recursive);
    }
  }

  int underRunningHost = 0;
  DeadlyTransport deadly{network};

 private:
  TemporaryFolder copies_;
  std::vector<std::pair<std::string, std::string>> kept_;
};

enum class Work { inspection, boot, erasure };

// Does the work with that death; the requests that the agent made for it.
std::vector<std::string> doWork(Work work, const std::optional<Death>& death) {
  INFO((death ? death->request : "no death") << (death && death->isObeyed ? ", obeyed" : ", not sent"));
  Deadly site;
  if (work == Work::inspection) {
    site.watch(death);
    REQUIRE(site.ends("available", death.has_value()));
    CHECK(site.host("a")->status.hardware.value().storage.size() == 2);
    return site.deadly.requests;
  }
  if (work == Work::boot) {
    REQUIRE(site.becomes("available"));
    site.machine().journal.clear();
    site.watch(death);
    site.provision();
    REQUIRE(site.ends("provisioned", death.has_value()));
    CHECK(site.machine().media == live);
    CHECK(site.machine().bootEnabled == "Continuous");
    CHECK(site.machine().powerState == "On");
    CHECK(site.underRunningHost == 0);
    // It begins anew at most once, and never resets a host that runs from what was inserted.
    CHECK(std::ranges::count_if(site.machine().journal, [](const auto& write) {
            return write.find("/Insert") != std::string::npos;
          }) <= (death ? 2 : 1));
    CHECK(site.machine().journal.back().find("ForceOff") == std::string::npos);
    return site.deadly.requests;
  }
  site.occupy();
  site.watch(death);
  site.giveBack();
  REQUIRE(site.ends("available", death.has_value()));
  // Of a request whose answer nobody has heard nobody knows that it was obeyed, and twice does no harm (0022).
  const bool isUnheard = death && death->isObeyed && death->request.find("/erase") != std::string::npos;
  CHECK(site.drives.erasures() == (isUnheard ? 3 : 2));
  for (const auto& drive : site.drives.drives) CHECK_FALSE(drive.erasures.empty());
  CHECK_FALSE(site.drives.lostPower);
  CHECK(site.certificates().size() == 1);
  CHECK(site.machine().media.empty());
  CHECK(site.machine().powerState == "Off");
  return site.deadly.requests;
}

}  // namespace

TEST_CASE("an agent may die at any request of any work: it ends the same, and nothing is done twice that must not be") {
  const auto [work, least] =
      GENERATE(table<Work, std::size_t>({{Work::inspection, 7}, {Work::boot, 7}, {Work::erasure, 10}}));
  const auto requests = doWork(work, std::nullopt);
  CHECK(requests.size() >= least);
  for (const auto& request : requests)
    for (const bool isObeyed : {false, true}) doWork(work, Death{.request = request, .isObeyed = isObeyed});
}
