package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/template"
	"gopkg.in/yaml.v3"
)

// What templates of a rule may use without saying where it comes from, as Prometheus's rule manager gives it to them.
const given = "{{$labels := .Labels}}{{$externalLabels := .ExternalLabels}}{{$externalURL := .ExternalURL}}{{$value := .Value}}"

// How an alert stands at the end: what is told of it where it has been so for as long as its rule says, and how many
// are on the way there.
type standing struct {
	Error   string           `json:"error"`
	Firing  []map[string]any `json:"firing"`
	Pending int              `json:"pending"`
	Seconds float64          `json:"seconds"` // that it must last
}

// The alert rules of a PrometheusRule, by its words and Prometheus's: an unknown field, and a template that cannot be
// read, is an error.
func rulesIn(path string) ([]rulefmt.Rule, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var document struct {
		Spec yaml.Node `yaml:"spec"`
	}
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	spec, err := yaml.Marshal(&document.Spec)
	if err != nil {
		return nil, err
	}
	groups, problems := rulefmt.Parse(spec, false)
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	var rules []rulefmt.Rule
	for _, group := range groups.Groups {
		rules = append(rules, group.Rules...)
	}
	return rules, nil
}

// A label that the alert has not is an error here, where Prometheus leaves a gap in the text.
func expanded(text string, of promql.Sample) (string, error) {
	data := template.AlertTemplateData(of.Metric.Map(), nil, "", of)
	expander := template.NewTemplateExpander(context.Background(), given+text, "alert", data, model.Time(length.Milliseconds()), nil, nil, []string{"missingkey=error"})
	out, err := expander.Expand()
	if err == nil && strings.Contains(out, "<no value>") {
		err = fmt.Errorf("%q has a gap", out)
	}
	return out, err
}

func allExpanded(texts map[string]string, of promql.Sample) (map[string]string, error) {
	out := map[string]string{}
	for name, text := range texts {
		one, err := expanded(text, of)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out[name] = one
	}
	return out, nil
}

// What is told of an alert: the labels of its series and those of the rule, and its annotations.
func told(rule rulefmt.Rule, of promql.Sample) (map[string]any, error) {
	own, err := allExpanded(rule.Labels, of)
	if err != nil {
		return nil, err
	}
	texts, err := allExpanded(rule.Annotations, of)
	if err != nil {
		return nil, err
	}
	all := labels.NewBuilder(of.Metric).Del(labels.MetricName)
	for name, value := range own {
		all.Set(name, value)
	}
	return map[string]any{"labels": all.Labels().Map(), "annotations": texts}, nil
}

// Asked as often as Prometheus asks, from the beginning on: a series that is missing once begins anew.
func stand(engine *promql.Engine, shown *page, rule rulefmt.Rule) (standing, error) {
	out := standing{Firing: []map[string]any{}, Seconds: time.Duration(rule.For).Seconds()}
	since := map[uint64]time.Duration{}
	for at := time.Duration(0); at <= length; at += interval {
		found, err := vectorAt(engine, shown, rule.Expr, at)
		if err != nil {
			return out, err
		}
		now := map[uint64]time.Duration{}
		for _, series := range found {
			key := series.Metric.Hash()
			now[key] = at
			if before, is := since[key]; is {
				now[key] = before
			}
			if at < length {
				continue
			}
			if at-now[key] < time.Duration(rule.For) {
				out.Pending++
				continue
			}
			one, err := told(rule, series)
			if err != nil {
				return out, err
			}
			out.Firing = append(out.Firing, one)
		}
		since = now
	}
	return out, nil
}

func standings(engine *promql.Engine, shown *page, rules []rulefmt.Rule) map[string]standing {
	out := map[string]standing{}
	for _, rule := range rules {
		one, err := stand(engine, shown, rule)
		if err != nil {
			one.Error = err.Error()
		}
		out[rule.Alert] = one
	}
	return out
}
