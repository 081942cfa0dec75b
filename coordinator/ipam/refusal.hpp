// Why a claim gets no address, and in which words (spec/ipam.md §11).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ingot::coordinator::ipam {

enum class Refusal : std::uint8_t {
  invalidRequest,           // the annotation is no address
  conflictingRequest,       // the annotation wants another address than the pool keeps for the claim
  requestedNotAvailable,    // the annotation wants an address that another claim has or that is kept for one
  preAllocatedOutOfBounds,  // the address that the pool keeps for the claim lies in none of its ranges
  exhausted,                // nothing is free, or the requested address lies in no range
  invalidPrefix,            // the pool's prefix length does not fit into a Cluster API address
  notCreated,               // the API server refused the address object
  notRead,
  notDeleted,  // it would not let it be taken away
};

struct Refused {
  Refusal why = Refusal::exhausted;
  std::string requested;  // the annotation's text, of invalidRequest

  // For people, in the claim's status.
  [[nodiscard]] std::string message() const;
  // The same in a log.
  [[nodiscard]] std::string logText() const;
  // Reason of condition Ready of a Cluster API claim.
  [[nodiscard]] std::string_view reason() const;

  friend bool operator==(const Refused&, const Refused&) = default;
};

// Whether the recorded text of a claim tells of a lack of addresses: another try may succeed once some are free.
[[nodiscard]] bool endsWhenAddressesAreFree(std::string_view message);

}  // namespace ingot::coordinator::ipam
