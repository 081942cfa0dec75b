// One line of a table: a valid document with one change, and what a kube-apiserver answers.
//
//   breaks    where                      with      answer
//   required  spec.image.url             -         Required
//   type      spec.online                "yes"     TypeInvalid
//   default   spec.mode                  -         = "access"
#pragma once

#include "json/value.hpp"

#include <string>
#include <variant>
#include <vector>

namespace ingot::contract {

// "spec.nics[0].mac": member names and item numbers.
using Path = std::vector<std::variant<std::string, std::size_t>>;
[[nodiscard]] Path pathOf(std::string_view text);

struct Case {
  std::string breaks;  // a schema keyword, or what else is asked: see tests/data/manifests/README.md
  std::string where;
  std::string with;  // JSON; TEXT*N: repeated; - : the member goes; twice: the list gets its first item once more
  std::string
      answer;  // causes, "Reason field; …" (field: when it is not `where`), "accepted", "= VALUE", "unknown field"

  [[nodiscard]] bool ofStatus() const { return where == "status" || where.starts_with("status."); }
  // `document` with the change, as text: numbers arrive as they are written here.
  [[nodiscard]] std::string applied(json::Value document) const;
  // One line, for who reads that it failed.
  [[nodiscard]] std::string text() const;
};

[[nodiscard]] std::vector<Case> readCases(const std::string& file);

}  // namespace ingot::contract
