// How what agents tell is carried, once both ends speak version 2 (Hello, Welcome). Part of messages.hpp.
#pragma once

#include "json/describe.hpp"

#include <string>
#include <vector>

namespace ingot::wire {

// The facts of that number, under that grant, hold still; only their ages are new.
struct FreshFacts {
  std::string host;
  std::int64_t seq = 0;  // of the last Facts about the host …
  std::int64_t term = 0;
  std::int64_t lease = 0;  // … and its grant: numbers begin anew where a host is lost and granted again
  std::int64_t powerAgeMs = -1;
  std::int64_t powerTookMs = 0;
  std::int64_t healthAgeMs = -1;

  static void describe(auto& v) {
    v.field("host", &FreshFacts::host).required();
    v.field("seq", &FreshFacts::seq).required();
    v.field("term", &FreshFacts::term).always();
    v.field("lease", &FreshFacts::lease).always();
    v.field("powerAgeMs", &FreshFacts::powerAgeMs).always();
    v.field("powerTookMs", &FreshFacts::powerTookMs);
    v.field("healthAgeMs", &FreshFacts::healthAgeMs).always();
  }
};

// agent → coordinator, in place of facts that would say the same again: those of many hosts in one message. Who does
// not have the facts of that number asks for a snapshot. At most mostFreshFacts hosts a message.
constexpr std::size_t mostFreshFacts = 1000;  // some 180 bytes each

struct StillFresh {
  std::int64_t stampMs = 0;  // the agent's clock when this was said; the ages count from there
  std::vector<FreshFacts> facts;

  static void describe(auto& v) {
    v.field("stampMs", &StillFresh::stampMs).always();
    v.field("facts", &StillFresh::facts);
  }
};

// agent → coordinator: a part of a message that is too long to be sent whole (pieces.hpp).
struct Piece {
  std::int64_t id = 0;     // of the whole; each is sent in order
  std::int64_t index = 0;  // from 0
  std::int64_t count = 0;
  json::Bytes part;

  static void describe(auto& v) {
    v.field("id", &Piece::id).required();
    v.field("index", &Piece::index).always();
    v.field("count", &Piece::count).required();
    v.field("part", &Piece::part);
  }
};

// coordinator → agent: so many bytes of messages that can wait (isPatient in codec.hpp) it takes in all, counted from
// the hello that is echoed.
struct Credit {
  std::int64_t helloMs = 0;  // the stamp of that hello
  std::int64_t bytes = 0;

  static void describe(auto& v) {
    v.field("helloMs", &Credit::helloMs).required();
    v.field("bytes", &Credit::bytes).required();
  }
};

}  // namespace ingot::wire
