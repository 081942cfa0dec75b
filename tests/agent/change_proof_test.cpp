#include "agent/change_proof.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using agent::ChangeProof;
using bmc::Power;
using bmc::PowerAction;

namespace {

bmc::PowerReading reading(Power power) { return {.power = power, .raw = {}, .health = {}}; }

}  // namespace

TEST_CASE("what proves a power change") {
  struct Row {
    std::string what;
    PowerAction asked;
    Power seen;
    bool proves;
  };
  const auto row = GENERATE(values<Row>({{"on, seen on", PowerAction::on, Power::on, true},
                                         {"on, still off", PowerAction::on, Power::off, false},
                                         {"off, seen off", PowerAction::hardOff, Power::off, true},
                                         {"soft off, seen off", PowerAction::softOff, Power::off, true},
                                         {"soft off, not readable", PowerAction::softOff, Power::unknown, false},
                                         {"a restart, on", PowerAction::softReboot, Power::on, false},
                                         {"a restart, off", PowerAction::hardReboot, Power::off, false},
                                         {"a reset, on", PowerAction::hardRestart, Power::on, false}}));
  INFO(row.what);
  ChangeProof proof;
  proof.requested(row.asked);
  proof.observe(proof.round(), reading(row.seen));
  CHECK(proof.take().has_value() == row.proves);
}

TEST_CASE("a host that is on its way has not arrived") {
  ChangeProof proof;
  proof.requested(PowerAction::softOff);
  proof.observe(proof.round(), {.power = Power::off, .raw = "PoweringOff", .health = {}});
  CHECK_FALSE(proof.take());
  proof.observe(proof.round(), {.power = Power::off, .raw = "Off", .health = {}});
  CHECK(proof.take());
}

TEST_CASE("a reading that began before the request proves nothing") {
  ChangeProof proof;
  const int before = proof.round();
  proof.requested(PowerAction::on);
  proof.observe(before, reading(Power::on));
  CHECK_FALSE(proof.take());
}

TEST_CASE("a change that was reached and lost again was reached, once") {
  ChangeProof proof;
  proof.requested(PowerAction::on);
  proof.observe(proof.round(), reading(Power::on));
  proof.observe(proof.round(), reading(Power::off));
  CHECK(proof.take());
  proof.observe(proof.round(), reading(Power::on));
  CHECK_FALSE(proof.take());
}

TEST_CASE("nothing is proved while nothing was asked for") {
  ChangeProof proof;
  proof.observe(proof.round(), reading(Power::on));
  CHECK_FALSE(proof.take());
}
