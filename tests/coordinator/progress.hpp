// Short questions about how far an operation has come.
#pragma once

#include "coordinator/host/provisioner.hpp"

namespace ingot::tests {

// Of a Progress, of Inspected, or of what carries a Progress.
template <class Answer>
const auto& progressOf(const Answer& answer) {
  if constexpr (requires { answer.progress; })
    return answer.progress;
  else
    return answer;
}

// nullptr when it is done or refused.
template <class Answer>
const coordinator::host::Working* workOf(const Answer& answer) {
  return std::get_if<coordinator::host::Working>(&progressOf(answer));
}

inline const coordinator::host::Working* workOf(const coordinator::host::BootLoan& loan) {
  const auto* others = std::get_if<coordinator::host::NotLent>(&loan);
  return others != nullptr ? &others->wait : std::get_if<coordinator::host::Working>(&loan);
}

template <class Answer>
bool isWorking(const Answer& answer) {
  return workOf(answer) != nullptr;
}

template <class Answer>
bool hasStarted(const Answer& answer) {
  const auto* work = workOf(answer);
  return work != nullptr && work->started;
}

// "" unless it is refused.
template <class Answer>
std::string refusalOf(const Answer& answer) {
  const auto* refused = std::get_if<coordinator::host::Refused>(&progressOf(answer));
  return refused == nullptr ? "" : refused->message;
}

template <class Answer>
bool isDone(const Answer& answer) {
  return !isWorking(answer) && !std::holds_alternative<coordinator::host::Refused>(progressOf(answer));
}

}  // namespace ingot::tests
