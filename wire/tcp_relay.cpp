#include "wire/tcp_relay.hpp"

#include "base/error.hpp"
#include "base/ip_address.hpp"
#include "base/pace.hpp"
#include "base/parking.hpp"
#include "base/text.hpp"
#include "base/yield.hpp"
#include "net/beast/eviction.hpp"
#include "net/beast/listener.hpp"
#include "wire/link.hpp"
#include "wire/private_port.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <sys/resource.h>
#include <unistd.h>

#include <charconv>
#include <cstring>
#include <map>
#include <unordered_map>

namespace asio = boost::asio;

namespace ingot::wire {

namespace {

constexpr auto acceptPause = std::chrono::milliseconds(100);  // after EMFILE and the like
constexpr auto routerPatience = std::chrono::seconds(2);      // until ROUTER has taken a connection
constexpr auto betweenWords = std::chrono::minutes(10);       // in the log, of what strangers choose
constexpr unsigned connectionsATurn = 16;
constexpr std::size_t mostNetworks = 1024;        // of which anything is kept
constexpr rlim_t filesAConnection = 8;            // three, and room for all else that opens files
constexpr std::uint32_t firstInner = 0x7f400001;  // 127.64.0.1
constexpr std::uint32_t innerAddresses = 1 << 22;

std::string textOf(std::uint32_t address) {
  const in_addr raw{.s_addr = htonl(address)};
  char text[INET_ADDRSTRLEN] = "";
  ::inet_ntop(AF_INET, &raw, text, sizeof text);
  return text;
}

// The first IPv4 address of the network interface of this name; the text itself if there is none.
std::string addressOfInterface(const std::string& name) {
  if (base::IpAddress::parse(name)) return name;
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return name;
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owned(list, &::freeifaddrs);
  for (const auto* one = list; one != nullptr; one = one->ifa_next)
    if (name == one->ifa_name && one->ifa_addr != nullptr && one->ifa_addr->sa_family == AF_INET)
      return textOf(ntohl(reinterpret_cast<const sockaddr_in*>(one->ifa_addr)->sin_addr.s_addr));
  return name;
}

struct Address {
  std::string host;
  std::uint16_t port = 0;
};

Address parse(const std::string& endpoint) {
  constexpr std::string_view scheme = "tcp://";
  const auto colon = endpoint.rfind(':');
  if (!endpoint.starts_with(scheme) || colon < scheme.size())
    throw base::Error("it does not look like tcp://10.0.0.1:7460");
  Address address{.host = endpoint.substr(scheme.size(), colon - scheme.size())};
  if (address.host.starts_with('[') && address.host.ends_with(']'))
    address.host = address.host.substr(1, address.host.size() - 2);
  if (const auto port = std::string_view(endpoint).substr(colon + 1); port != "*") {
    const auto [end, failed] = std::from_chars(port.data(), port.data() + port.size(), address.port);
    if (failed != std::errc{} || end != port.data() + port.size()) throw base::Error("it has no usable port");
  }
  address.host = address.host == "*" ? "0.0.0.0" : addressOfInterface(address.host);
  return address;
}

std::size_t affordable(std::size_t connections) {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == RLIM_INFINITY) return connections;
  return std::min<std::size_t>(connections, files.rlim_cur / filesAConnection);
}

}  // namespace

struct TcpRelay::State : std::enable_shared_from_this<TcpRelay::State> {
  using Connection = std::shared_ptr<RelayedConnection>;

  State(base::Runtime r, const Address& address, RelayLimits l, CountTurnedAway c)
      : runtime(std::move(r)),
        host(address.host),
        limits(l),
        count(std::move(c)),
        listener(runtime.executor, address.host, address.port) {
    limits.total = affordable(limits.total);
    if (!port.isPrivate())
      runtime.log.info("other processes of this machine can reach the port behind the relay of agents' connections",
                       {{"port", port.port()}, {"why", "this kernel lets none but root filter a socket"}});
  }

  static base::Task<void> acceptAll(std::shared_ptr<State> self) {
    bool hasComplained = false;
    for (unsigned turn = 1; !self->closed; ++turn) {
      if (turn % connectionsATurn == 0) co_await base::yieldToLoop();
      const auto problem = co_await self->acceptNext();
      if (problem.empty() || self->closed) {
        hasComplained = false;
        continue;
      }
      if (!std::exchange(hasComplained, true))
        self->runtime.log.warn("cannot accept connections of agents for now", {{"error", problem}});
      co_await self->runtime.clock.sleepFor(acceptPause);
    }
  }

  // What was wrong, and will be for others; "" where nothing was.
  base::Task<std::string> acceptNext() {
    try {
      co_return co_await accept();
    } catch (const base::Cancelled&) {
      throw;
    } catch (const std::exception& error) {
      co_return error.what();
    }
  }

  base::Task<std::string> accept() {
    auto accepted = co_await listener.accept();
    if (accepted.fd < 0) co_return std::strerror(accepted.error);
    if (closed || !isWelcome(accepted.remote, accepted.network)) co_return ::close(accepted.fd), "";
    const auto number = nextNumber();
    const auto address = firstInner + static_cast<std::uint32_t>(number % innerAddresses);
    const int inner = port.connectFrom(address);
    if (const int why = errno; inner < 0) co_return ::close(accepted.fd), std::strerror(why);
    const RelayedConnection::Peer peer{.remote = accepted.remote, .network = accepted.network};
    const auto connection = opening = std::make_shared<RelayedConnection>(runtime, peer, limits.unread);
    if (!connection->hold(accepted.fd, inner)) co_return "no more descriptors can be watched";
    const bool isTaken = co_await connection->isTaken(runtime.clock.now() + routerPatience);
    port.letNobodyIn();
    opening = nullptr;
    if (closed) co_return connection->close(), "";
    if (!isTaken) co_return "ROUTER takes none";
    connections[number] = connection;
    numbers[textOf(address)] = number;
    connection->start(runtime.clock.now() + limits.handshake,
                      [weak = weak_from_this(), number](RelayedConnection::End why) {
                        if (const auto self = weak.lock()) self->ended(number, why);
                      });
    co_return "";
  }

  std::uint64_t nextNumber() {
    do ++last;
    while (numbers.contains(textOf(firstInner + static_cast<std::uint32_t>(last % innerAddresses))));
    return last;
  }

  bool isWelcome(const std::string& remote, const std::string& network) {
    if (!isInPace(network)) {
      tell(tooOften, "refused connections of a network that connects more often than its pace allows", remote);
      return false;
    }
    if (makeRoom(network)) return true;
    tell(full, "refused connections: there are as many as may be, all of known keys", remote);
    return false;
  }

  bool isInPace(const std::string& network) {
    const auto now = runtime.clock.now();
    if (paces.size() >= mostNetworks) std::erase_if(paces, [now](const auto& it) { return it.second.isRested(now); });
    if (paces.size() >= mostNetworks && !paces.contains(network)) paces.clear();
    auto& pace = paces.try_emplace(network, limits.perConnection, limits.connectionBurst).first->second;
    return pace.takeNow(now);
  }

  // False: there are as many as may be, and all are of known keys.
  bool makeRoom(const std::string& network) {
    std::vector<Connection> strangers, besideAgents;
    for (const auto& [_, connection] : connections)
      if (!connection->isKnown())
        (agents.contains(connection->peer().network) ? besideAgents : strangers).push_back(connection);
    strangers.insert(strangers.end(), besideAgents.begin(), besideAgents.end());
    std::vector<std::string> networks;
    networks.reserve(strangers.size());
    for (const auto& connection : strangers) networks.push_back(connection->peer().network);
    const net::UnauthenticatedLimits most{limits.strangers, limits.strangersOfOneNetwork};
    const auto evicted = net::connectionToEvict(networks, network, most);
    if (!evicted && connections.size() < limits.total) return true;
    if (strangers.empty()) return false;
    const auto& first = strangers[evicted.value_or(0)];
    tell(crowded, "closed connections whose key is not known for newer ones", first->peer().remote);
    first->close();
    return true;
  }

  Connection find(const std::string& inner) const {
    const auto number = numbers.find(inner);
    return number == numbers.end() ? nullptr : connections.at(number->second);
  }

  // Where agents have been, others or the same come from again.
  void noteAgentIn(const std::string& network) {
    if (agents.size() >= mostNetworks && !agents.contains(network))
      agents.erase(std::ranges::min_element(agents, {}, &decltype(agents)::value_type::second));
    agents[network] = runtime.clock.now();
  }

  void boundConnectionsOf(const std::string& publicKey) {
    std::vector<Connection> same;
    for (const auto& [_, connection] : connections)
      if (connection->publicKey() == publicKey) same.push_back(connection);
    if (same.size() <= limits.ofOneKey) return;
    tell(shared, "closed the oldest connection of a key: have several agents the same one?",
         same.front()->peer().remote, publicKey);
    same.front()->close();
  }

  void ended(std::uint64_t number, RelayedConnection::End why) {
    const auto place = connections.find(number);
    if (place == connections.end()) return;
    const auto connection = place->second;
    connections.erase(place);
    numbers.erase(textOf(firstInner + static_cast<std::uint32_t>(number % innerAddresses)));
    if (why == RelayedConnection::End::tooMuch)
      tell(endless, "closed a connection whose message had no end", connection->peer().remote, connection->publicKey());
    if (why == RelayedConnection::End::late)
      tell(late, "closed connections that had proved no key in time", connection->peer().remote);
  }

  // What peers choose to do is told now and then, with how often it has happened since the last time.
  struct Word {
    TurnedAway why;
    base::Pace pace{betweenWords, 1};
    std::uint64_t times = 0;
  };
  void tell(Word& word, std::string_view what, const std::string& from, const std::string& key = {}) {
    ++word.times;
    if (count) count(word.why);
    if (!word.pace.takeNow(runtime.clock.now())) return;
    runtime.log.warn(what, {{"from", from},
                            {"fingerprint", key.empty() ? "" : fingerprint(key)},
                            {"times", std::exchange(word.times, 0)}});
  }

  void close() {
    closed = true;
    listener.close();
    if (opening) opening->close();
    for (const auto& [_, connection] : std::map(connections)) connection->close();
  }

  base::Runtime runtime;
  std::string host;
  RelayLimits limits;
  CountTurnedAway count;
  net::Listener listener;
  PrivatePort port;
  std::map<std::uint64_t, Connection> connections;         // the oldest first
  std::unordered_map<std::string, std::uint64_t> numbers;  // by the address that ROUTER sees
  std::map<std::string, base::Pace> paces;                 // by network
  std::map<std::string, base::MonoTime> agents;            // when a known key was proved last, by network
  Connection opening;                                      // the last that ROUTER was asked to take
  std::uint64_t last = 0;
  Word tooOften{TurnedAway::tooOften}, full{TurnedAway::full}, crowded{TurnedAway::crowded},
      shared{TurnedAway::sharedKey}, endless{TurnedAway::endlessMessage}, late{TurnedAway::noKeyInTime};
  bool opened = false, closed = false;
};

TcpRelay::TcpRelay(base::Runtime runtime, const std::string& endpoint, RelayLimits limits, CountTurnedAway count) {
  try {
    state_ = std::make_shared<State>(std::move(runtime), parse(endpoint), limits, std::move(count));
  } catch (const base::Error& error) {
    const std::string_view why = error.what();
    const auto last = why.rfind(": ");
    throw base::Error(
        fmt::format("cannot listen on {}: {}", endpoint, last == std::string_view::npos ? why : why.substr(last + 2)));
  }
}

TcpRelay::~TcpRelay() { state_->close(); }

std::string TcpRelay::endpoint() const { return "tcp://" + base::hostAndPort(state_->host, state_->listener.port()); }

int TcpRelay::routerSocket() const { return state_->port.listening(); }
std::string TcpRelay::routerEndpoint() const { return fmt::format("tcp://127.0.0.1:{}", state_->port.port()); }

void TcpRelay::open() {
  if (std::exchange(state_->opened, true)) return;
  asio::co_spawn(state_->runtime.executor, base::underOurRules(State::acceptAll(state_)), asio::detached);
}

bool TcpRelay::awaitsKey(const std::string& inner) const {
  const auto connection = state_->find(inner);
  return connection && connection->publicKey().empty();
}

bool TcpRelay::has(const std::string& inner) const { return state_->numbers.contains(inner); }

void TcpRelay::proved(const std::string& inner, const std::string& publicKey, bool isKnown) {
  const auto connection = state_->find(inner);
  if (!connection) return;
  connection->proved(publicKey, isKnown);
  if (isKnown) state_->noteAgentIn(connection->peer().network);
  state_->boundConnectionsOf(publicKey);
}

void TcpRelay::delivered(const std::string& inner, std::size_t bytes, bool isKnown) {
  if (const auto connection = state_->find(inner)) connection->delivered(bytes, isKnown);
}

}  // namespace ingot::wire
