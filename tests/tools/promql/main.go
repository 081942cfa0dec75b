// promql [-rules FILE] PAGE[,PAGE...]... < QUERIES: asks Prometheus's engine each query of a JSON object {name: query} of what the pages
// of metrics show, and answers with {name: {"error", "unmatched", "series", "numbers"}}: selectors that match no series,
// how many series the whole query yields, and what they say. Pages with a comma between them are those of one program that
// follow each other: the last ones for some minutes each, the first one for the rest of the time before. With a file of
// alert rules nothing is read, and the answer is {alert: {"error", "firing", "pending", "seconds"}}: what is told of each
// that has been so for as long as its rule says, and how many have not yet.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"
	"github.com/prometheus/prometheus/util/annotations"
)

const (
	interval = 30 * time.Second
	share    = 4 * time.Minute // of a page that follows another one
)

var length = 20 * time.Minute // or as long as the pages of a program last

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

// What was read of a program: by the text of its labels, so that pages that follow each other go on with a series.
type program map[string]*history

type history struct {
	of      labels.Labels
	samples []chunks.Sample
}

// A page that was shown from one moment, and before another one. What it does not show any more is over, as Prometheus
// marks it.
func (all program) read(path, instance string, from, before time.Duration) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	parse, err := textparse.New(text, "text/plain; version=0.0.4", "", false, false, false, labels.NewSymbolTable())
	if err != nil {
		return err
	}
	for {
		entry, err := parse.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if entry != textparse.EntrySeries {
			continue
		}
		var of labels.Labels
		_, _, number := parse.Series()
		parse.Labels(&of)
		of = labels.NewBuilder(of).Set("instance", instance).Set("job", "ingot").Labels() // as a scrape does
		known := all[of.String()]
		if known == nil {
			known = &history{of: of}
			all[of.String()] = known
		}
		for t := from; t < before; t += interval {
			known.samples = append(known.samples, sample{t.Milliseconds(), number})
		}
	}
	for _, known := range all {
		if known.samples[len(known.samples)-1].T() < from.Milliseconds() {
			known.samples = append(known.samples, sample{from.Milliseconds(), math.Float64frombits(value.StaleNaN)})
		}
	}
	return nil
}

func read(paths []string, instance string) ([]storage.Series, error) {
	all := program{}
	for i, path := range paths {
		after := time.Duration(len(paths)-1-i) * share
		from, until := length-after-share, length-after
		if i == 0 {
			from = 0
		}
		if i == len(paths)-1 {
			until = length + interval
		}
		if err := all.read(path, instance, from, until); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	var out []storage.Series
	for _, known := range all {
		out = append(out, storage.NewListSeries(known.of, known.samples))
	}
	sort.Slice(out, func(i, j int) bool { return labels.Compare(out[i].Labels(), out[j].Labels()) < 0 })
	return out, nil
}

type answer struct {
	Error     string   `json:"error"`
	Unmatched []string `json:"unmatched"`
	Series    int      `json:"series"`
	Numbers   []string `json:"numbers"`
}

func vectorOf(engine *promql.Engine, shown *page, query string) (promql.Vector, error) {
	return vectorAt(engine, shown, query, length)
}

func vectorAt(engine *promql.Engine, shown *page, query string, at time.Duration) (promql.Vector, error) {
	asked, err := engine.NewInstantQuery(context.Background(), shown, nil, query, time.UnixMilli(at.Milliseconds()))
	if err != nil {
		return nil, err
	}
	defer asked.Close()
	result := asked.Exec(context.Background())
	if result.Err != nil {
		return nil, result.Err
	}
	vector, err := result.Vector()
	return append(promql.Vector{}, vector...), err
}

func ask(engine *promql.Engine, shown *page, query string) answer {
	out := answer{Unmatched: []string{}, Numbers: []string{}}
	expression, err := parser.ParseExpr(query)
	if err != nil {
		return answer{Error: err.Error(), Unmatched: []string{}, Numbers: []string{}}
	}
	parser.Inspect(expression, func(node parser.Node, _ []parser.Node) error {
		if selector, is := node.(*parser.VectorSelector); is && selector.OriginalOffset == 0 { // what was once need not be
			if found, err := vectorOf(engine, shown, selector.String()); err != nil || len(found) == 0 {
				out.Unmatched = append(out.Unmatched, selector.String())
			}
		}
		return nil
	})
	found, err := vectorOf(engine, shown, query)
	if err != nil {
		out.Error = err.Error()
	}
	out.Series = len(found)
	for _, each := range found {
		out.Numbers = append(out.Numbers, strconv.FormatFloat(each.F, 'g', -1, 64)) // NaN is no number of JSON's
	}
	return out
}

func shownBy(programs []string) (*page, error) {
	shown := &page{}
	for _, paths := range programs {
		length = max(length, time.Duration(strings.Count(paths, ",")+1)*share)
	}
	for i, paths := range programs {
		series, err := read(strings.Split(paths, ","), fmt.Sprintf("10.0.0.%d:8080", i+1))
		if err != nil {
			return nil, err
		}
		shown.series = append(shown.series, series...)
	}
	return shown, nil
}

func say(answers any) {
	if err := json.NewEncoder(os.Stdout).Encode(answers); err != nil {
		log.Fatal(err)
	}
}

func main() {
	file := flag.String("rules", "", "alert rules, as Kubernetes has them")
	flag.Parse()
	shown, err := shownBy(flag.Args())
	if err != nil {
		log.Fatal(err)
	}
	engine := promql.NewEngine(promql.EngineOpts{MaxSamples: 1 << 24, Timeout: time.Minute, LookbackDelta: 5 * time.Minute})
	if *file != "" {
		rules, err := rulesIn(*file)
		if err != nil {
			log.Fatal(err)
		}
		say(standings(engine, shown, rules))
		return
	}
	queries := map[string]string{}
	if err := json.NewDecoder(os.Stdin).Decode(&queries); err != nil {
		log.Fatal(err)
	}
	answers := map[string]answer{}
	for name, query := range queries {
		answers[name] = ask(engine, shown, query)
	}
	say(answers)
}
