// docs/decisions/0034: what a host that is moved says of the terms that its agents obey.
#include "api/bmh/carried_term.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using api::CarriedTerm;
using api::Carrying;
using api::TermSeal;

namespace {

const std::string kLabel = "ingot.dev/term", kEarlier = "ingot.dev/earlier-term";
const std::string kHere = "3f2a9c1e-0000", kElsewhere = "77aa88bb-0000";
const kube::ObjectKey kHost{"metal", "a"};
using Labels = std::map<std::string, std::string>;

const TermSeal& seal() {
  static const TermSeal one(base::Secret("the key that agents know"));
  return one;
}

kube::ObjectMeta labelled(const std::string& value) {
  kube::ObjectMeta host{.name = "a", .namespace_ = "metal"};
  if (!value.empty()) host.labels[kLabel] = value;
  return host;
}

std::string label(std::int64_t term, const std::string& lease) {
  return seal().label(CarriedTerm::of(term, lease), kHost);
}
Carrying ours(std::int64_t term) { return {CarriedTerm::of(term, kHere), seal()}; }

}  // namespace

TEST_CASE("a host carries the term and whose it is", "[carried]") {
  auto host = labelled("");
  CHECK_FALSE(ours(7).isOn(host));
  ours(7).put(host);
  CHECK(host.labels.size() == 1);
  CHECK(host.labels[kLabel].starts_with("7.3f2a9c1e."));
  CHECK(host.labels[kLabel].size() <= 63);
  CHECK(ours(7).isOn(host));
  CHECK(seal().on(host) == std::vector{CarriedTerm::of(7, kHere)});
  ours(8).put(host);  // of the next leader
  CHECK(host.labels[kLabel] == label(8, kHere));
  ours(8).drop(host);
  CHECK(host.labels.empty());
}

TEST_CASE("every term that a leader may have can be carried", "[carried]") {
  const auto term = GENERATE(values<std::int64_t>({0, 1, 1'796'000'000, 2'147'483'647}));
  auto host = labelled("");
  ours(term).put(host);
  CHECK(ours(term).isOn(host));
}

TEST_CASE("where no agents are served a host's label is left alone", "[carried]") {
  auto host = labelled(label(7, kElsewhere));
  const Carrying none;
  CHECK(none.isOn(host));
  none.put(host);
  none.drop(host);
  CHECK_FALSE(none.later(host));
  CHECK(host.labels[kLabel] == label(7, kElsewhere));
}

TEST_CASE("nobody without the key makes a label, and one of another host says nothing", "[carried]") {
  const TermSeal other(base::Secret("another key"));
  const auto text = GENERATE_COPY(values<std::string>(
      {"seven", "7", "7.3f2a9c1e", "7.3f2a9c1e.", "7..", "..", "-1.77aa88bb.00", "99999999999999999999.77aa88bb.00",
       "9" + label(7, kElsewhere), label(7, kElsewhere) + "0", "8" + label(7, kElsewhere).substr(1),
       other.label(CarriedTerm::of(7, kElsewhere), kHost), seal().label(CarriedTerm::of(7, kElsewhere), {"metal", "b"}),
       seal().label(CarriedTerm::of(7, kElsewhere), {"other", "a"})}));
  CAPTURE(text);
  auto host = labelled(text);
  CHECK(seal().on(host).empty());
  CHECK_FALSE(ours(3).later(host));
}

TEST_CASE("a forged label of our own installation is replaced, one of another key is kept beside ours", "[carried]") {
  auto host = labelled("9.3f2a9c1e.00");
  CHECK_FALSE(ours(3).isOn(host));
  ours(3).put(host);
  CHECK(host.labels == Labels{{kLabel, label(3, kHere)}});
  const auto foreign = "9.77aa88bb.00";
  host = labelled(foreign);
  CHECK_FALSE(ours(3).isOn(host));
  ours(3).put(host);
  CHECK(host.labels == Labels{{kLabel, label(3, kHere)}, {kEarlier, foreign}});
  CHECK(ours(3).isOn(host));
  CHECK_FALSE(ours(3).later(host));
  ours(4).put(host);  // the next leader
  CHECK(host.labels == Labels{{kLabel, label(4, kHere)}, {kEarlier, foreign}});
  ours(4).drop(host);  // its key may still follow
  CHECK(host.labels == Labels{{kLabel, foreign}});
}

TEST_CASE("the key that follows a host opens what it came with, also where another term was put on it meanwhile",
          "[carried]") {
  const TermSeal keyHere(base::Secret("the key of where it comes to"));
  auto host = labelled(label(7, kElsewhere));
  Carrying(CarriedTerm::of(3, kHere), keyHere).put(host);
  const auto least = CarriedTerm::of(7, kElsewhere).least(kHere);
  CHECK(seal().on(host) == std::vector{CarriedTerm::of(7, kElsewhere)});
  CHECK(ours(4).later(host) == CarriedTerm::of(7, kElsewhere));
  auto before = host;
  ours(4).drop(host);  // it must be there when the next one begins
  CHECK(seal().on(host) == std::vector{CarriedTerm::of(7, kElsewhere)});
  ours(least).put(before);
  CHECK(before.labels == Labels{{kLabel, label(least, kHere)}});
}

TEST_CASE("a host that goes on carries the term of each installation that it leaves, whoever can open those before",
          "[carried]") {
  const std::string leases[] = {"aaaaaaaa-0", "bbbbbbbb-0", "cccccccc-0", "dddddddd-0"};
  const bool isForgedBefore = GENERATE(false, true);
  auto host = labelled(isForgedBefore ? "9.eeeeeeee.00" : "");
  for (std::int64_t led = 5; const auto& lease : leases) {
    const TermSeal sealHere(base::Secret("the key of " + lease));
    const Carrying here(CarriedTerm::of(++led, lease), sealHere);
    here.put(host);  // paused as it arrives
    const bool works = led % 2 == 0;
    if (works) {
      here.drop(host);
      here.put(host);
    }
    CHECK(here.isOn(host));
    CHECK(host.labels.size() <= 2);
    CHECK(sealHere.on(host) == std::vector{CarriedTerm::of(led, lease)});
  }
}

TEST_CASE("who may write hosts neither raises nor lowers what is carried", "[carried]") {
  const std::string theirs = label(7, kElsewhere);
  const auto forged = GENERATE_COPY(values<std::string>({"9.eeeeeeee.00", "9.3f2a9c1e.00", "painted", "", theirs}));
  const auto name = GENERATE_COPY(values<std::string>({kLabel, kEarlier}));
  CAPTURE(forged, name);
  const auto above = CarriedTerm::of(7, kElsewhere).least(kHere);
  SECTION("of ours") {
    auto host = labelled("");
    ours(above).put(host);
    host.labels[name] = forged;
    CHECK_FALSE(ours(above).later(host));
    ours(above).put(host);
    CHECK(seal().on(host) == std::vector{CarriedTerm::of(above, kHere)});
    CHECK(ours(above).isOn(host));
  }
  SECTION("of another installation, beside what it has put there") {
    auto host = labelled(theirs);
    host.labels[name == kLabel ? kEarlier : kLabel] = theirs;
    host.labels[name] = forged;
    CHECK(ours(3).later(host) == CarriedTerm::of(7, kElsewhere));
    ours(3).put(host);
    ours(3).drop(host);
    CHECK(ours(3).later(host) == CarriedTerm::of(7, kElsewhere));
  }
}

TEST_CASE("a term of elsewhere stays on its host until ours is far above it", "[carried]") {
  const auto least = CarriedTerm::of(7, kElsewhere).least(kHere);
  CHECK(least >= 1007);
  CHECK(least < 2007);
  struct Row {
    std::string lease;
    std::int64_t ours;
    bool mustYield;
  };
  const auto row = GENERATE_COPY(values<Row>({{kHere, 6, true},  // the same Lease: a later leader's
                                              {kHere, 7, false},
                                              {kHere, 8, false},
                                              {kElsewhere, 3, true},
                                              {kElsewhere, 8, true},  // another one may lead there by now
                                              {kElsewhere, least - 1, true},
                                              {kElsewhere, least, false}}));
  CAPTURE(row.lease, row.ours);
  auto host = labelled(label(7, row.lease));
  CHECK(ours(row.ours).later(host).has_value() == row.mustYield);
  const bool isForeign = row.lease == kElsewhere;
  ours(row.ours).drop(host);
  CHECK(host.labels.contains(kLabel) == (row.mustYield && isForeign));
  host = labelled(label(7, row.lease));
  ours(row.ours).put(host);
  CHECK(host.labels[kLabel] == (row.mustYield && isForeign ? label(7, row.lease) : label(row.ours, kHere)));
}

TEST_CASE("two installations that take over from one begin with terms of their own", "[carried]") {
  const auto carried = CarriedTerm::of(7, kElsewhere);
  CHECK(carried.least(kHere) != carried.least("0c1d2e3f-0000"));
  CHECK(carried.least(kElsewhere) == 8);
}
