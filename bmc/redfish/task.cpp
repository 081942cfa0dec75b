#include "bmc/redfish/task.hpp"

#include "base/text.hpp"
#include "bmc/redfish/answers.hpp"

#include <array>

namespace ingot::bmc::redfish {

namespace {

constexpr base::Duration firstPause = std::chrono::seconds(1), usualPause = std::chrono::seconds(5),
                         longestPause = std::chrono::seconds(60);
constexpr std::size_t mostMessages = 16, longestMessageId = 256, longestStartTime = 64;

bool isTaskPath(std::string_view path) { return path.find("/Task") != std::string_view::npos; }

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

bool isTask(const json::Value& document) {
  return json::textAt(document, {"@odata.type"}).find("Task.") != std::string::npos ||
         json::stringAt(document, {"TaskState"}).has_value() || json::stringAt(document, {"JobState"}).has_value();
}

void addMessages(const json::Value& document, std::initializer_list<std::string_view> where, TaskView& into) {
  const auto* messages = json::arrayAt(document, where);
  if (messages == nullptr) return;
  for (const auto& message : *messages) {
    if (into.messageIds.size() == mostMessages) return;
    auto id = json::textAt(message, {"MessageId"});
    if (id.size() > longestMessageId) id.clear();
    into.messageIds.push_back(id.substr(id.rfind('.') + 1));
    auto words = json::textAt(message, {"Message"});
    if (!words.empty())
      into.told.emplace_back(std::move(words));
    else if (!id.empty())
      into.told.emplace_back(UnresolvedMessage{id, argsIn(message.get_object())});
  }
}

void add(std::string words, std::string& to) { to += (to.empty() ? "" : "; ") + std::move(words); }

std::string textOf(const TaskView& view) {
  std::string text;
  for (const auto& message : view.told) {
    const auto* words = std::get_if<std::string>(&message);
    add(words != nullptr ? *words : shown(std::get<UnresolvedMessage>(message)), text);
  }
  return text;
}

TaskState stateOf(const json::Value& task) {
  const bool isJob = json::stringAt(task, {"JobState"}).has_value();
  const auto state = json::textAt(task, {isJob ? "JobState" : "TaskState"});
  if (isOneOf(state, {"Killed", "Exception", "Cancelled", "Failed", "CompletedWithErrors"})) return TaskState::failed;
  if (state == "Interrupted") return TaskState::unseen;  // some go on with it, and nobody says so
  if (state != "Completed") return TaskState::running;
  return json::textAt(task, {isJob ? "JobStatus" : "TaskStatus"}) == "Critical" ? TaskState::failed : TaskState::done;
}

// Of an answer in the shape of an error; iLO tells a good end so, too.
bool saysSuccess(const json::Value& document) {
  const auto* messages = json::arrayAt(document, {"error", "@Message.ExtendedInfo"});
  return messages != nullptr && !messages->empty() &&
         json::textAt(messages->front(), {"MessageId"}).find("Success") != std::string::npos;
}

int percentOf(const json::Value& task) {
  return static_cast<int>(std::clamp<std::int64_t>(json::intAt(task, {"PercentComplete"}).value_or(-1), -1, 100));
}

bool isGoingOn(const TaskView& view) { return view.state == TaskState::running || view.state == TaskState::unseen; }

// Lenovo's: the task is over, and what it was for is not (spec/bmc.md §9.3).
std::string jobAfter(const json::Value& task) {
  const auto* messages = json::arrayAt(task, {"Messages"});
  if (messages == nullptr) return {};
  for (const auto& message : *messages) {
    if (!json::textAt(message, {"MessageId"}).ends_with("OperationTransitionedToJob")) continue;
    const auto* arguments = json::arrayAt(message, {"MessageArgs"});
    if (arguments != nullptr && !arguments->empty() && arguments->front().is_string())
      return pathOfLocation(std::string(arguments->front().get_string()));
  }
  return {};
}

// It may restart, or be busy with this very task.
bool mayAnswerAgain(Error::Code code) {
  return code == Error::Code::unreachable || code == Error::Code::timeout || code == Error::Code::busy ||
         code == Error::Code::protocol;
}

}  // namespace

std::string monitorOf(const net::HttpResponse& accepted) {
  json::Value body;
  try {
    body = documentIn(accepted);
  } catch (const base::Error&) {  // it may have none
  }
  const auto location = pathOfLocation(accepted.headers.get("Location"));
  const auto told = json::textAt(body, {"TaskMonitor"});
  const auto itself = json::textAt(body, {"@odata.id"});
  for (const auto& path : {told, isTaskPath(location) ? location : "", isTaskPath(itself) ? itself : "",
                           accepted.status == 202 ? location : ""})
    if (!path.empty()) return pathOfLocation(path);
  return {};
}

TaskView viewOf(int status, const json::Value& document) {
  TaskView view{.percent = percentOf(document)};
  if (status == 202) return view;
  // 405: what 202 named is no task.
  if (status == 404 || status == 405 || status == 410 || status == 429 || status >= 500)
    return {.state = TaskState::unseen};
  const bool isError = status >= 400 || json::objectAt(document, {"error"}) != nullptr;
  const bool isOver = isError ? saysSuccess(document) : status == 204 || !isTask(document);
  if (isOver) {
    view.state = TaskState::done;
    view.isOther = !isError && status != 204;
  } else if (isError) {
    view.state = TaskState::failed;
    addMessages(document, {"error", "@Message.ExtendedInfo"}, view);
    if (view.told.empty()) view.told.emplace_back(json::textAt(document, {"error", "message"}));
  } else {
    view.state = stateOf(document);
    view.since = json::textAt(document, {"StartTime"});
    if (view.since.size() > longestStartTime) view.since.clear();
    addMessages(document, {"Messages"}, view);
    if (view.state == TaskState::done) view.next = jobAfter(document);
  }
  if (view.state != TaskState::failed) view.told.clear();
  view.text = printable(textOf(view));
  return view;
}

base::Task<TaskView> inWords(Connection& connection, Lane lane, TaskView view) {
  std::set<std::string> ids;
  for (const auto& message : view.told)
    if (const auto* wordless = std::get_if<UnresolvedMessage>(&message)) ids.insert(wordless->id);
  co_await connection.messages().learn(lane, std::move(ids));
  std::string text;
  for (const auto& message : view.told) {
    const auto* wordless = std::get_if<UnresolvedMessage>(&message);
    add(wordless == nullptr ? std::get<std::string>(message) : co_await connection.messages().wordsOf(lane, *wordless),
        text);
  }
  view.text = printable(connection.redacted(std::move(text)));
  co_return view;
}

Refusal refusalOf(TaskView end) {
  auto mentioned = base::lower(end.text);
  return {
      .status = 400,
      .body = {
          .detail = std::move(end.text), .messageIds = std::move(end.messageIds), .mentioned = std::move(mentioned)}};
}

base::Task<TaskView> followTask(base::Clock& clock, Connection& connection, Lane lane, std::string monitor,
                                base::Duration limit) {
  const auto deadline = clock.now() + limit;
  auto pause = firstPause;
  bool wasSeen = false;
  while (true) {
    co_await clock.sleepFor(std::min<base::Duration>(pause, std::max(deadline - clock.now(), base::Duration{})));
    TaskView view{.state = TaskState::unseen};
    pause = usualPause;
    try {
      const auto seen = co_await connection.look(lane, monitor);
      view = viewOf(seen.status, seen.document);
      // One that was there and is not any more has ended: bmcweb shows its end once.
      if (seen.status == 404 && wasSeen) co_return view;
      wasSeen = wasSeen || seen.status < 400;
      if (seen.retryAfter) pause = std::clamp(*seen.retryAfter, firstPause, longestPause);
    } catch (const Error& error) {
      if (error.origin() == Error::Origin::governor || !mayAnswerAgain(error.code())) throw;
    }
    if (!isGoingOn(view) || clock.now() >= deadline) co_return view;
  }
}

}  // namespace ingot::bmc::redfish
