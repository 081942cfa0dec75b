// promql PAGE... < QUERIES: asks Prometheus's engine each query of a JSON object {name: query} of what the pages of
// metrics show, ten minutes long the same, and answers with {name: {"error", "unmatched", "series"}}: selectors that
// match no series, and how many series the whole query yields.
package main

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"os"
	"sort"
	"time"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"
	"github.com/prometheus/prometheus/util/annotations"
)

const (
	interval = 30 * time.Second
	length   = 20 * time.Minute
)

type sample struct {
	t int64
	f float64
}

func (s sample) T() int64                      { return s.t }
func (s sample) F() float64                    { return s.f }
func (s sample) H() *histogram.Histogram       { return nil }
func (s sample) FH() *histogram.FloatHistogram { return nil }
func (s sample) Type() chunkenc.ValueType      { return chunkenc.ValFloat }
func (s sample) Copy() chunks.Sample           { return s }

type page struct{ series []storage.Series }

func (p *page) Querier(int64, int64) (storage.Querier, error) { return &querier{p}, nil }

type querier struct{ page *page }

func (q *querier) Select(_ context.Context, _ bool, _ *storage.SelectHints, matchers ...*labels.Matcher) storage.SeriesSet {
	var found []storage.Series
	for _, series := range q.page.series {
		matches := true
		for _, matcher := range matchers {
			matches = matches && matcher.Matches(series.Labels().Get(matcher.Name))
		}
		if matches {
			found = append(found, series)
		}
	}
	return &set{series: found, at: -1}
}

func (q *querier) LabelValues(context.Context, string, *storage.LabelHints, ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	return nil, nil, nil
}

func (q *querier) LabelNames(context.Context, *storage.LabelHints, ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	return nil, nil, nil
}

func (q *querier) Close() error { return nil }

type set struct {
	series []storage.Series
	at     int
}

func (s *set) Next() bool                        { s.at++; return s.at < len(s.series) }
func (s *set) At() storage.Series                { return s.series[s.at] }
func (s *set) Err() error                        { return nil }
func (s *set) Warnings() annotations.Annotations { return nil }

func read(path string) ([]storage.Series, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	parse, err := textparse.New(text, "text/plain; version=0.0.4", "", false, false, false, labels.NewSymbolTable())
	if err != nil {
		return nil, err
	}
	var out []storage.Series
	for {
		entry, err := parse.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if entry != textparse.EntrySeries {
			continue
		}
		var of labels.Labels
		_, _, value := parse.Series()
		parse.Labels(&of)
		var samples []chunks.Sample
		for t := time.Duration(0); t <= length; t += interval {
			samples = append(samples, sample{t.Milliseconds(), value})
		}
		out = append(out, storage.NewListSeries(of, samples))
	}
	sort.Slice(out, func(i, j int) bool { return labels.Compare(out[i].Labels(), out[j].Labels()) < 0 })
	return out, nil
}

type answer struct {
	Error     string   `json:"error"`
	Unmatched []string `json:"unmatched"`
	Series    int      `json:"series"`
}

func count(engine *promql.Engine, shown *page, query string) (int, error) {
	asked, err := engine.NewInstantQuery(context.Background(), shown, nil, query, time.UnixMilli(length.Milliseconds()))
	if err != nil {
		return 0, err
	}
	defer asked.Close()
	result := asked.Exec(context.Background())
	if result.Err != nil {
		return 0, result.Err
	}
	vector, err := result.Vector()
	return len(vector), err
}

func ask(engine *promql.Engine, shown *page, query string) answer {
	out := answer{Unmatched: []string{}}
	expression, err := parser.ParseExpr(query)
	if err != nil {
		return answer{Error: err.Error(), Unmatched: []string{}}
	}
	parser.Inspect(expression, func(node parser.Node, _ []parser.Node) error {
		if selector, is := node.(*parser.VectorSelector); is {
			if found, err := count(engine, shown, selector.String()); err != nil || found == 0 {
				out.Unmatched = append(out.Unmatched, selector.String())
			}
		}
		return nil
	})
	if out.Series, err = count(engine, shown, query); err != nil {
		out.Error = err.Error()
	}
	return out
}

func main() {
	shown := &page{}
	for _, path := range os.Args[1:] {
		series, err := read(path)
		if err != nil {
			log.Fatalf("%s: %v", path, err)
		}
		shown.series = append(shown.series, series...)
	}
	queries := map[string]string{}
	if err := json.NewDecoder(os.Stdin).Decode(&queries); err != nil {
		log.Fatal(err)
	}
	engine := promql.NewEngine(promql.EngineOpts{MaxSamples: 1 << 24, Timeout: time.Minute, LookbackDelta: 5 * time.Minute})
	answers := map[string]answer{}
	for name, query := range queries {
		answers[name] = ask(engine, shown, query)
	}
	if err := json.NewEncoder(os.Stdout).Encode(answers); err != nil {
		log.Fatal(err)
	}
}
