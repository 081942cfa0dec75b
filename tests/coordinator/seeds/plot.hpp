// What happens in the life of one seed, and what goes wrong in it. Pure.
#pragma once

#include "base/random.hpp"
#include "tests/coordinator/seeds/fault.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ingot::tests::seeds {

// When one machine goes half way and another one comes.
enum class Replaced : std::uint8_t { never, someTime, atFirstFault };

// When something that others wait for comes: `late` is a while after somebody waits for it; `afterReplacement`, when
// who waited for it is gone.
enum class Arrival : std::uint8_t { first, late, afterReplacement };

// Who is paused for a while, as it grows up and as it ends.
enum class Pause : std::uint8_t { nobody, cluster, machine };

// What somebody deletes while a machine uses it.
enum class Lost : std::uint8_t { nothing, host, bootstrapSecret, renderedSecret, kubeconfig };

struct Plot {
  int clusters = 1;
  int machines = 2;            // at first
  int hosts = 3;               // one more than machines at least
  bool hostsComeLate = false;  // machines wait for the first ones
  bool hasData = true;         // a data template with a pool
  Arrival dataTemplate = Arrival::first, pool = Arrival::first;
  Replaced replaced = Replaced::never;
  bool hostFallsIll = false;  // that a machine has chosen, and not claimed yet
  bool remediates = false;    // one machine falls ill …
  bool obeys = true;          // … and its host can be switched off
  bool ownersAreOld = false;  // and read the conditions of before Cluster API 1.14
  bool forgetsTaint = false;  // the workload cluster is too old for the taint
  Pause pause = Pause::nobody;
  bool pausesInService = false;  // once a machine has a host
  bool reusesHosts = false;      // who replaces a machine of the same owner gets its host …
  bool reusesLater = false;      // … once an operator has said so, half way, which watches may tell late
  bool hasPlane = false;         // the first machine is a control plane's …
  bool planeIsRke2 = false;      // … of this provider
  bool foreignPool = false;      // machines have an address of another provider's pool, too
  bool sharesPool = false;       // somebody claims an address of their pool by Cluster API's kind
  bool hasRival = false;         // somebody else takes hosts, too
  Lost lost = Lost::nothing;
  std::vector<Pair> faults;
  std::vector<int> atWrite;  // the nth of its name, for each fault
};

// `wanted`: what the seed has to meet; the life is such that it can. `also`: what it meets if all are possible in one.
[[nodiscard]] Plot plotOf(std::uint64_t seed, const Pair& wanted, const std::vector<Pair>& also);

// Every write of every controller. One that is seen and not among them fails the run.
[[nodiscard]] const std::vector<std::string>& everyWrite();

// The creation of an address.
inline const std::string kNewAddress = "ipam: POST ipaddresses";

// Every write × every fault, where that can be.
[[nodiscard]] const std::vector<Pair>& everyPair();

}  // namespace ingot::tests::seeds
