#include "tests/kube/servers/link.hpp"

#include <algorithm>

namespace ingot::tests {
namespace {

net::HttpError lost() { return {net::HttpError::Code::reset, "the test broke the connection"}; }

base::Task<void> readInto(net::HttpStream& stream, base::Duration idle, std::optional<std::string>& piece) {
  piece = co_await stream.next(idle);
}

}  // namespace

class LinkStream final : public net::HttpStream {
 public:
  // `breaks`: how many there had been when it was asked for.
  LinkStream(Link& link, std::unique_ptr<net::HttpStream> inner, unsigned breaks)
      : link_(link), inner_(std::move(inner)), breaks_(breaks) {}

  [[nodiscard]] int status() const override { return inner_->status(); }
  [[nodiscard]] const net::Headers& headers() const override { return inner_->headers(); }

  base::Task<std::optional<std::string>> next(base::Duration idle) override {
    if (breaks_ != link_.breaks_) throw lost();
    base::AbortSource stop;
    const Registration registration(link_, stop);
    std::optional<std::string> piece;
    try {
      co_await stop.run(readInto(*inner_, idle, piece));
    } catch (const base::Cancelled&) {
      if (!stop.aborted()) throw;
    }
    while (link_.held_ && !stop.aborted()) co_await link_.changed_.wait();
    if (stop.aborted()) throw lost();
    co_return piece;
  }

 private:
  struct Registration {
    Registration(Link& link, base::AbortSource& stop) : link(link), stop(stop) { link.reading_.insert(&stop); }
    ~Registration() { link.reading_.erase(&stop); }
    Registration(const Registration&) = delete;
    Registration& operator=(const Registration&) = delete;
    Link& link;
    base::AbortSource& stop;
  };

  Link& link_;
  std::unique_ptr<net::HttpStream> inner_;
  unsigned breaks_;
};

class LinkClient final : public net::HttpClient {
 public:
  LinkClient(Link& link, std::unique_ptr<net::HttpClient> inner) : link_(link), inner_(std::move(inner)) {}

  base::Task<net::HttpResponse> send(net::HttpRequest request) override {
    link_.note(request);
    co_return co_await inner_->send(std::move(request));
  }
  base::Task<std::unique_ptr<net::HttpStream>> open(net::HttpRequest request) override {
    link_.note(request);
    const unsigned breaks = link_.breaks_;
    auto stream = co_await inner_->open(std::move(request));
    co_return std::make_unique<LinkStream>(link_, std::move(stream), breaks);
  }

 private:
  Link& link_;
  std::unique_ptr<net::HttpClient> inner_;
};

std::size_t Link::count(std::string_view prefix) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(log, [&](const auto& line) { return line.starts_with(prefix); }));
}

void Link::holdStreams(bool held) {
  held_ = held;
  changed_.notifyAll();
}

void Link::breakStreams() {
  ++breaks_;
  for (auto* one : reading_) one->abort();
  changed_.notifyAll();
}

void Link::cut(bool isCut) {
  cut_ = isCut;
  if (isCut) breakStreams();
}

void Link::note(const net::HttpRequest& request) {
  log.push_back(request.method + " " + request.target);
  if (cut_) throw net::HttpError(net::HttpError::Code::unreachable, "the test cut the link");
}

std::unique_ptr<net::HttpClient> Link::connect(net::ClientOptions options) {
  return std::make_unique<LinkClient>(*this, inner_.connect(std::move(options)));
}

}  // namespace ingot::tests
