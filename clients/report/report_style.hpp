#pragma once

#include <string_view>

namespace pitboss::clients {

/// Of the report. The colours of the first and the second player are those of Okabe and Ito, which
/// the colour-blind can tell apart.
inline constexpr std::string_view report_style = R"(
:root { color-scheme: light dark;
  --paper: #ffffff; --ink: #1c2127; --muted: #586069; --grid: #e3e7eb; --panel: #f6f8fa;
  --first: #0072b2; --second: #c04e00; --drawn: #9aa3ab; --alarm: #b3261e; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #14181d; --ink: #e3e7eb; --muted: #a0a9b2; --grid: #2b323a; --panel: #1c2229;
  --first: #56b4e9; --second: #e69f00; --drawn: #77818b; --alarm: #ff8a80; } }
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
.ahead { background: color-mix(in srgb, var(--first) var(--lead), transparent); }
.behind { background: color-mix(in srgb, var(--second) var(--lead), transparent); }
.matrix .none { color: var(--muted); }
details { margin: .4rem 0; } summary { cursor: pointer; color: var(--muted); }
details.game > summary { color: var(--ink); font-size: 1.05rem; font-weight: 600;
  padding: .4rem 0; border-top: 1px solid var(--grid); }
pre { margin: .3rem 0; padding: .5rem; max-height: 20rem; overflow: auto; white-space: pre-wrap;
  overflow-wrap: anywhere; background: var(--panel); border-radius: 6px; font-size: .8rem;
  text-align: left; unicode-bidi: isolate; }
@media print { body { max-width: none; } figure { break-inside: avoid; } }
)";

}  // namespace pitboss::clients
