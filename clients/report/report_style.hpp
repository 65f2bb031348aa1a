#pragma once

#include <string_view>

namespace pitboss::clients {

/// The report's style sheet but for boards and the charts beside them, which look as in a browser's
/// page (report_script.hpp). The colours of the first and the second player are Okabe and Ito's,
/// which the colour-blind can tell apart.
inline constexpr std::string_view report_style = R"(
:root { color-scheme: light dark;
  --paper: #ffffff; --ink: #1c2127; --muted: #586069; --grid: #e3e7eb; --panel: #f6f8fa;
  --first: #0072b2; --second: #c04e00; --drawn: #9aa3ab; --alarm: #b3261e;
  --wood: #ecd9b0; --shade: #d9bd87; --seam: #a1834f; --burnt: #4a3728; --mark: #e8590c; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #14181d; --ink: #e3e7eb; --muted: #a0a9b2; --grid: #2b323a; --panel: #1c2229;
  --first: #56b4e9; --second: #e69f00; --drawn: #77818b; --alarm: #ff8a80;
  --wood: #b99a66; --shade: #9c7d4c; --seam: #6b5230; --burnt: #2b1e14; --mark: #ff8f3f; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 76rem; background: var(--paper);
  color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; margin: 0 0 .3rem; }
h2 { font-size: 1.25rem; margin: 2.4rem 0 .6rem; padding-bottom: .2rem;
  border-bottom: 1px solid var(--grid); }
h3 { font-size: 1.05rem; margin: 1.6rem 0 .4rem; }
p { max-width: 60rem; margin: .4rem 0; }
a { color: var(--first); }
.note { color: var(--muted); }
.alarm { color: var(--alarm); font-weight: 600; }
.conclusions li { margin: .4rem 0; max-width: 60rem; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr));
  gap: 1rem; align-items: start; }
figure { margin: 0; padding: .8rem; background: var(--panel); border-radius: 8px; min-width: 0; }
figure > svg + details { margin-top: .4rem; }
figure.matrix { margin: 1rem 0; width: fit-content; max-width: 100%; }
figcaption { font-weight: 600; font-size: .9rem; margin-bottom: .4rem; }
figure > svg { display: block; width: 100%; max-width: 38rem; height: auto; }
svg text { fill: var(--muted); font: 12px system-ui, sans-serif; }
svg .grid { stroke: var(--grid); } svg .axis { stroke: var(--muted); }
svg .even { stroke: var(--muted); stroke-dasharray: 4 3; }
svg .bound { stroke: var(--second); stroke-dasharray: 6 3; }
svg .first { fill: none; stroke: var(--first); stroke-width: 1.8; stroke-linejoin: round; }
svg .second { fill: none; stroke: var(--second); stroke-width: 1.8; stroke-linejoin: round; }
svg .band { fill: var(--first); opacity: .2; }
svg .bar { fill: var(--first); opacity: .75; } svg .mark { fill: var(--first); }
svg .whisker { fill: var(--ink); }
svg .won { fill: var(--first); opacity: .45; } svg .drawn { fill: var(--drawn); opacity: .35; }
svg .lost { fill: var(--second); opacity: .45; }
svg .won ~ text, svg > text { font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: .5rem 0; font-size: .88rem;
  font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--muted); padding-bottom: .2rem; }
th, td { padding: .2rem .6rem; text-align: right; border-bottom: 1px solid var(--grid);
  vertical-align: top; white-space: nowrap; }
th { font-weight: 600; } th:first-child, .words, td:first-child { text-align: left; }
td.words { white-space: normal; overflow-wrap: anywhere; min-width: 6rem; unicode-bidi: isolate; }
.matrix td, .matrix th.number { text-align: center; padding: .2rem .4rem; min-width: 3.6rem; }
.matrix th.number { white-space: normal; overflow-wrap: anywhere; max-width: 8rem; }
th[scope="row"] { white-space: normal; overflow-wrap: anywhere; min-width: 5rem; max-width: 20rem; }
.matrix small { display: block; color: var(--muted); }
.lead-0 { --lead: 0%; } .lead-5 { --lead: 5%; } .lead-10 { --lead: 10%; } .lead-15 { --lead: 15%; } .lead-20 { --lead: 20%; }
.lead-25 { --lead: 25%; } .lead-30 { --lead: 30%; } .lead-35 { --lead: 35%; } .lead-40 { --lead: 40%; }
.lead-45 { --lead: 45%; } .lead-50 { --lead: 50%; } .lead-55 { --lead: 55%; } .lead-60 { --lead: 60%; }
.ahead { background: color-mix(in srgb, var(--first) var(--lead), transparent); }
.behind { background: color-mix(in srgb, var(--second) var(--lead), transparent); }
.matrix .none { color: var(--muted); }
details { margin: .4rem 0; } summary { cursor: pointer; color: var(--muted); }
details.game > summary { color: var(--ink); font-size: 1.05rem; font-weight: 600;
  padding: .4rem 0; border-top: 1px solid var(--grid); }
pre { margin: .3rem 0; padding: .5rem; max-height: 20rem; overflow: auto; white-space: pre-wrap;
  overflow-wrap: anywhere; background: var(--panel); border-radius: 6px; font-size: .8rem;
  text-align: left; unicode-bidi: isolate; }
.verdict { font-size: 1.1rem; font-weight: 600; }
.viewer { display: grid; grid-template-columns: 15rem minmax(0, 1fr) 10rem; gap: 1rem;
  align-items: start; }
@media (max-width: 52rem) { .viewer { grid-template-columns: 1fr; } }
.viewer select, .viewer input { width: 100%; min-width: 0; }
.viewer button, .viewer select { font: inherit; font-size: .88rem; color: var(--ink);
  background: var(--panel); border: 1px solid var(--grid); border-radius: 5px; padding: .1rem .5rem;
  cursor: pointer; }
.viewer button[aria-pressed="true"] { border-color: var(--first); color: var(--first); }
.filter { display: flex; gap: .3rem; margin: .4rem 0; }
.viewer ol { list-style: none; margin: 0; padding: 0; overflow-y: auto; font-size: .85rem;
  font-variant-numeric: tabular-nums; }
.viewer .games { max-height: 34rem; }
.viewer .games a { display: grid; grid-template-columns: 2.6rem 1fr auto; gap: .4rem;
  padding: .15rem .4rem; text-decoration: none; color: var(--ink); border-left: 3px solid;
  overflow-wrap: anywhere; }
.viewer .games a.won { border-color: var(--first); }
.viewer .games a.lost { border-color: var(--second); }
.viewer .games a.drawn { border-color: var(--drawn); }
.viewer .games i { font-style: normal; color: var(--muted); }
.viewer [aria-current] { background: color-mix(in srgb, var(--first) 18%, transparent); }
.stage { background: var(--panel); border-radius: 8px; padding: .8rem; outline-offset: 2px; }
.stage:focus { outline: 1px solid var(--grid); }
.players { display: flex; flex-wrap: wrap; gap: .2rem .5rem; align-items: center; margin: 0; }
.players b + .seat { margin-left: .6rem; }
.players .result { margin-left: auto; color: var(--muted); }
.controls { display: flex; gap: .4rem; align-items: center; }
.controls output { min-width: 9.5rem; font-size: .88rem; font-variant-numeric: tabular-nums; }
.stage .note { margin: .6rem 0 0; font-size: .85rem; }
.key { margin-right: .8rem; white-space: nowrap; }
.key::before { content: ""; display: inline-block; width: 1.2em; height: .2em;
  margin: 0 .3em .2em 0; background: currentColor; }
.key.first { color: var(--first); } .key.second { color: var(--second); }
.viewer .moves { display: grid; grid-template-columns: 1fr 1fr; align-content: start;
  max-height: 44rem; position: relative; }
.viewer .moves button { display: flex; align-items: center; gap: .35rem; width: 100%;
  padding: 0 .3rem; border: 0; background: none; font-size: .85rem; }
.viewer .moves button[aria-current] {
  background: color-mix(in srgb, var(--first) 22%, transparent); }
.viewer .moves .opening { color: var(--muted); }
.key.by::before { background: var(--piece); }
@media (max-width: 52rem) { .viewer .games, .viewer .moves { max-height: 12rem; } }
@media print { .viewer { display: none; } }
@media print { body { max-width: none; } figure { break-inside: avoid; } }
)";

}  // namespace pitboss::clients
