// How a connection opens a stream (connection.hpp).
#include "bmc/redfish/connection.hpp"
#include "bmc/redfish/requests.hpp"

namespace ingot::bmc::redfish {

namespace {

// Of a stream's head: whoever is more urgent waits for it.
constexpr base::Duration openingDeadline = std::chrono::seconds(10);
constexpr std::size_t longestRefusal = 64u << 10;
constexpr int mostPieces = 8;  // of it

// Why a stream was refused, as far as it is told in time.
base::Task<std::string> bodyOf(net::HttpStream& stream) {
  std::string body;
  try {
    for (int pieces = 0; pieces < mostPieces && body.size() < longestRefusal; ++pieces) {
      const auto piece = co_await stream.next(std::chrono::seconds(5));
      if (!piece) break;
      body += *piece;
    }
  } catch (const net::HttpError&) {  // no more of it
  }
  co_return body;
}

}  // namespace

base::Task<std::unique_ptr<net::HttpStream>> Connection::stream(Lane lane, std::string path) {
  auto opened = co_await openStream(lane, {.target = path, .deadline = openingDeadline, .bodyLimit = bodyLimit});
  if (opened.stream->status() == 200) co_return std::move(opened.stream);
  const Answer answer{.response = {.status = opened.stream->status(), .body = co_await bodyOf(*opened.stream)},
                      .session = opened.session};
  throw refusalOfResource(path, answer, errorIn(answer.response));
}

// Its turn ends with the head. A BMC that keeps even that to itself is not silent: it says nothing of its other
// answers.
base::Task<Connection::Opened> Connection::openStream(Lane lane, net::HttpRequest request) {
  checkTarget(request.target);
  auto [turn, showsPassword] = co_await enter(lane, Identified::yes);
  request.headers.set("Accept", "text/event-stream");
  request.headers.set("Accept-Encoding", "identity");
  request.headers.set("OData-Version", "4.0");
  request.beforeSending = [&turn] { turn.connected(); };
  authorize(request);
  try {
    if (!streams_) streams_ = transport_.connect(clientOptions(options_.baseUrl, options_.tls));
    auto stream = co_await streams_->open(std::move(request));
    turn.answered();
    co_return Opened{std::move(stream), showsPassword ? 0 : session_.number};
  } catch (const net::HttpError& error) {
    throw fromTransport(error);
  }
}

}  // namespace ingot::bmc::redfish
