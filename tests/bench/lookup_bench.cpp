// What it costs to look the addresses of a pool up for a review that would leave some of its ranges out: listed whole,
// the first time that they are watched, and from then on. The API answers at once: its own time comes on top.
// Goal: a review of a pool with 100,000 addresses takes 5 ms once they are watched.
#include "api/ipam/ip_pool.hpp"
#include "coordinator/webhooks/lookups.hpp"
#include "kube/client/client.hpp"
#include "kube/client/config.hpp"
#include "net/loopback.hpp"
#include "tests/bench/cpu_clock.hpp"
#include "tests/net/pair.hpp"

#include <malloc.h>

#include <charconv>

namespace {

using namespace ingot;
using namespace std::chrono_literals;
using coordinator::AddressBounds;
using coordinator::webhooks::AddressWatches;
using coordinator::webhooks::Lookups;
using coordinator::webhooks::LookupTurns;
using tests::CpuClock;

constexpr auto kOrigin = "https://kube";
constexpr std::size_t kPage = 500;

std::string addressAt(std::size_t number) {
  return fmt::format("10.{}.{}.{}", number >> 16, number >> 8 & 255, number & 255);
}

// As a kube-apiserver keeps it, with what it notes of its writers.
std::string objectAt(std::size_t number) {
  std::string name = "net-" + addressAt(number);
  std::ranges::replace(name, '.', '-');
  return fmt::format(
      R"({{"apiVersion":"ipam.metal3.io/v1alpha1","kind":"IPAddress","metadata":{{"creationTimestamp":"2026-01-01T00:00:00Z",)"
      R"("finalizers":["ipaddress.ipam.metal3.io"],"generation":1,"labels":{{"cluster.x-k8s.io/cluster-name":"c"}},)"
      R"("managedFields":[{{"apiVersion":"ipam.metal3.io/v1alpha1","fieldsType":"FieldsV1","fieldsV1":{{"f:metadata":)"
      R"({{"f:finalizers":{{".":{{}},"v:\"ipaddress.ipam.metal3.io\"":{{}}}},"f:labels":{{".":{{}},)"
      R"("f:cluster.x-k8s.io/cluster-name":{{}}}},"f:ownerReferences":{{".":{{}},"k:{{\"uid\":\"705ab4f5-6393\"}}":{{}}}}}},)"
      R"("f:spec":{{".":{{}},"f:address":{{}},"f:claim":{{".":{{}},"f:name":{{}},"f:namespace":{{}}}},"f:gateway":{{}},)"
      R"("f:pool":{{".":{{}},"f:name":{{}},"f:namespace":{{}}}},"f:prefix":{{}}}}}},"manager":"ingot","operation":"Update",)"
      R"("time":"2026-01-01T00:00:00Z"}}],"name":"{}","namespace":"metal","ownerReferences":[{{"apiVersion":)"
      R"("ipam.metal3.io/v1alpha1","kind":"IPPool","name":"pool","uid":"705ab4f5-6393-11e8-b7cc-42010a800002"}},)"
      R"({{"apiVersion":"ipam.metal3.io/v1alpha1","kind":"IPClaim","name":"machine-{}","uid":"705ab4f5-6393-11e8-b7cc-4201)"
      R"({:08}"}}],"resourceVersion":"{}","uid":"705ab4f5-6393-11e8-b7cc-0201{:08}"}},"spec":{{"address":"{}","claim":)"
      R"({{"name":"machine-{}","namespace":"metal"}},"gateway":"10.255.255.254","pool":{{"name":"pool","namespace":)"
      R"("metal"}},"prefix":8}}}})",
      name, number, number, number + 1000, number, addressAt(number), number);
}

// Lists of IPAddresses; watches that tell nothing.
struct Api {
  explicit Api(std::size_t count) {
    for (std::size_t number = 0; number < count; ++number) objects.push_back(objectAt(number));
  }

  std::string pageFrom(std::size_t first, bool isEmpty) const {
    const std::size_t end = isEmpty ? first : std::min(objects.size(), first + kPage);
    const bool isLast = isEmpty || end == objects.size();
    std::string out = fmt::format(R"({{"metadata":{{"resourceVersion":"200000"{}}},"items":[)",
                                  isLast ? "" : fmt::format(R"(,"continue":"{}")", end));
    for (std::size_t at = first; at < end; ++at) out += (at == first ? "" : ",") + objects[at];
    return out + "]}";
  }

  base::Task<void> handle(net::ServerRequest request, net::Responder& out) {
    if (request.query().find("watch=true") != std::string_view::npos) {
      co_await out.begin(200, {{"Content-Type", "application/json"}});
      while (true) co_await never.wait();
    }
    std::size_t first = 0;
    if (const auto at = request.query().find("continue="); at != std::string_view::npos)
      std::from_chars(request.query().data() + at + 9, request.query().data() + request.query().size(), first);
    const bool isCapi = request.path().find("/ipam.cluster.x-k8s.io/") != std::string_view::npos;
    co_await out.send({200, {{"Content-Type", "application/json"}}, pageFrom(first, isCapi)});
  }

  std::vector<std::string> objects;
  boost::asio::io_context unused;
  base::Notifier never{unused.get_executor()};
};

struct Bench : tests::RealLoop {
  Api api;
  tests::Handler handler{
      [this](net::ServerRequest request, net::Responder& out) { return api.handle(std::move(request), out); }};
  net::Loopback network{runtime};
  std::unique_ptr<kube::Client> client;
  LookupTurns turns{io.get_executor(), {}};
  AddressWatches watches;

  Bench(std::size_t count, std::size_t namespaces)
      : api(count),
        client((network.serve(kOrigin, handler), kube::connect(runtime, network, {.server = kOrigin}))),
        watches(runtime, client->api(), {.namespaces = namespaces}) {}
  ~Bench() {
    run(watches.close());
    client.reset();
    run(network.close());
  }

  // The pool would keep all of its addresses but the last.
  double millisecondsOfOne() {
    api::ipam::Range range;
    range.start = addressAt(0);
    range.end = addressAt(api.objects.size() - 2);
    const AddressBounds bounds({range});
    const auto start = CpuClock::now();
    Lookups lookups;
    static_cast<void>(lookups.addressesBeyond({"metal", "pool"}, bounds));
    LookupTurns::Review review(turns, "metal");
    run(lookups.fetch(client->api(), review, watches));
    if (lookups.addressesBeyond({"metal", "pool"}, bounds).size() != 1) throw base::Error("a wrong answer");
    return CpuClock::millisecondsSince(start);
  }
};

void measure(std::size_t count) {
  const double listed = Bench(count, 0).millisecondsOfOne();
  Bench watched(count, 1);
  const std::size_t before = mallinfo2().uordblks;
  const double first = watched.millisecondsOfOne(), next = watched.millisecondsOfOne();
  const double held = static_cast<double>(mallinfo2().uordblks - before) / (1 << 20);
  fmt::print("{:>7} addresses: listed {:.1f} ms, first watched {:.1f} ms, then {:.2f} ms, {:.1f} MiB held\n", count,
             listed, first, next, held);
}

}  // namespace

int main() {
  for (const std::size_t count : {400, 1'000, 10'000, 100'000}) measure(count);
}
