"""How the page looks: one style sheet. Colours are variables, set once for light and once for dark; print is always light.

One accent, the red of rubrics, marks what is measured; everything else is ink on paper.
"""

from __future__ import annotations

LIGHT = {
    "paper": "#fdfcfa",
    "sheet": "#f6f3ee",
    "ink": "#211f1c",
    "soft": "#67625a",
    "line": "#ddd7cd",
    "faint": "#ece7de",
    "accent": "#a4341d",
    "band": "#e9c9bf",
}
DARK = {
    "paper": "#181715",
    "sheet": "#211f1d",
    "ink": "#ebe6de",
    "soft": "#aaa397",
    "line": "#413d37",
    "faint": "#2c2926",
    "accent": "#f0937c",
    "band": "#5a342b",
}


def variables(colours: dict[str, str]) -> str:
    """As CSS has them."""
    return "".join(f"--{key}:{value};" for key, value in colours.items())


RULES = """
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0 auto;padding:2.5rem 1.5rem 4rem;max-width:60rem;background:var(--paper);color:var(--ink);
 font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:break-word}
h1,h2,h3{line-height:1.25;font-weight:600;text-wrap:balance}
h1{font-size:2rem;margin:.25rem 0 .5rem;letter-spacing:-.01em}
h2{font-size:1.35rem;margin:0 0 1rem}
h3{font-size:1rem;margin:0 0 .5rem}
p{margin:.5rem 0;max-width:70ch}
th,td,caption,blockquote,p,li{unicode-bidi:isolate}
small{display:block;font-size:.8rem;font-weight:400;color:var(--soft);line-height:1.35}
.kicker{color:var(--accent);font-size:.85rem;letter-spacing:.04em;margin:0}
.under,.soft,figcaption,.note,footer{color:var(--soft)}
.note,figcaption,.soft{font-size:.9rem}
.soft{margin:.25rem 0}
a{color:inherit;text-decoration-color:var(--line);text-underline-offset:.2em}
a:hover{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
nav{margin:1.5rem 0 0;padding:.75rem 0;border-top:1px solid var(--line);border-bottom:1px solid var(--line)}
nav ol{list-style:none;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;font-size:.9rem}
section{margin-top:3.5rem;scroll-margin-top:1rem}
section>h2{padding-left:.75rem;border-left:3px solid var(--accent)}
.said{margin:1.5rem 0;padding:0;list-style:none;max-width:70ch}
.said li{padding:.55rem 0;border-bottom:1px solid var(--faint)}
.said li:last-child{border:0}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(13rem,1fr));gap:1rem}
.card{background:var(--sheet);border-radius:.5rem;padding:1rem 1.25rem;display:flex;flex-direction:column}
.card p{margin:.2rem 0}
.card svg{width:calc(100% + 1rem);height:auto;max-width:15rem;margin:auto 0 0 -.6rem}
.card .dot{r:2.3px}
.card .span{stroke-width:2}
.big{font-size:2.6rem;font-weight:600;line-height:1.1;font-variant-numeric:tabular-nums;letter-spacing:-.02em}
.answer{font-size:1.1rem}
.box{overflow-x:auto;margin:1rem 0;scrollbar-width:thin}
table{border-collapse:separate;border-spacing:0;font-size:.92rem;font-variant-numeric:tabular-nums;line-height:1.25rem}
caption{text-align:left;font-size:.85rem;color:var(--soft);padding:0 0 .4rem;caption-side:top}
caption span{display:block;position:sticky;left:0;width:max-content;max-width:min(58rem,calc(100vw - 2.5rem))}
th,td{padding:.4375rem .75rem;text-align:left;vertical-align:middle;border-bottom:1px solid var(--faint)}
thead th{font-size:.85rem;font-weight:600;border-bottom:1px solid var(--line);white-space:nowrap;vertical-align:bottom}
thead small{display:inline;margin-left:.3em}
tbody th{font-weight:400}
th:first-child,td:first-child{padding-left:0}
.n{text-align:right;white-space:nowrap}
.labels,.thresholds,.overall,.choice{width:100%}
.candidate{min-width:11rem;overflow-wrap:anywhere}
td.bylabel{font-size:.82rem;color:var(--soft);min-width:7rem}
.labelcell{min-width:8rem;max-width:16rem;overflow-wrap:anywhere;position:sticky;left:0;background:var(--paper)}
.iv{white-space:nowrap}
.iv span{display:inline-block;width:2em;text-align:right;margin-right:.4rem}
thead th.whiskercell{padding-bottom:.1rem}
.why{font-size:.82rem;color:var(--soft);min-width:14rem}
.bar,.whisker,.length{vertical-align:middle;overflow:visible}
figure{margin:1.25rem 0}
figcaption{margin-top:.5rem;max-width:70ch}
.figurename{margin:0 0 .1rem;font-weight:600;font-size:.9rem;overflow-wrap:anywhere}
.plot{display:block;width:100%;height:auto;max-width:27rem}
.map{display:block;overflow:visible}
.smalls{display:grid;grid-template-columns:repeat(4,minmax(0,1fr));gap:1.25rem 1.25rem;align-items:end}
.smalls figure{margin:0}
.smalls .plot{max-width:15rem}
.smalls figcaption{display:none}
.lists{display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));gap:2rem 2rem}
.words{list-style:none;margin:0;padding:0;font-size:.9rem}
.words li{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:.5rem;padding:.12rem 0;align-items:center}
.words bdi{overflow-wrap:anywhere}
.error{padding:1.25rem 0;border-top:1px solid var(--line)}
.error .words{max-width:24rem}
.error .words li{grid-template-columns:minmax(0,1fr) auto 4rem}
.error dl{display:flex;flex-wrap:wrap;gap:.25rem 1.75rem;margin:0 0 .5rem}
.error dl div{display:flex;gap:.5rem}
dt{color:var(--soft)}
dd{margin:0;min-width:0;overflow-wrap:anywhere}
blockquote{margin:.75rem 0;padding:.75rem 1rem;background:var(--sheet);border-radius:.4rem;font-size:.95rem;max-width:70ch;
 overflow-wrap:anywhere}
details{margin:1rem 0}
summary{cursor:pointer;color:var(--accent);font-size:.95rem;padding:.25rem 0}
.made div{display:grid;grid-template-columns:minmax(7rem,12rem) 1fr;gap:1rem;padding:.4rem 0;border-bottom:1px solid var(--faint)}
.made{margin:0 0 1.5rem;font-size:.95rem}
.made .made{margin:0}
.made dd{overflow-wrap:anywhere;min-width:0}
footer{margin-top:4rem;padding-top:1rem;border-top:1px solid var(--line);font-size:.85rem}
svg text{font:11px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;fill:var(--ink)}
svg .tick{fill:var(--soft);font-size:10.5px}
svg .small{font-size:9.5px}
svg .nothing{font-style:italic}
svg .label{fill:var(--soft);font-size:11px}
svg .cellnumber{font-size:10.5px}
.grid{stroke:var(--faint);stroke-width:1}
.axis{stroke:var(--line);stroke-width:1}
.track{stroke:var(--line);stroke-width:1}
.zero{stroke:var(--soft);stroke-width:1.2}
.span{stroke:var(--accent);stroke-width:2.5;stroke-linecap:round;opacity:.55}
.dot,.fill{fill:var(--accent)}
.hollow{fill:none;stroke:var(--soft)}
.here{fill:var(--paper);stroke:var(--accent);stroke-width:2.2}
.line{fill:none;stroke:var(--ink);stroke-width:1.6;stroke-linejoin:round}
.thin{fill:none;stroke:var(--accent);stroke-width:1;opacity:.7}
.chance{fill:none;stroke:var(--soft);stroke-width:1;stroke-dasharray:3 3}
.band{fill:var(--band);opacity:.7}
.cell{fill:none;stroke:var(--faint)}
.cell.correct{fill:none;stroke:var(--soft);stroke-width:1.2}
@media (max-width:40rem){
 body{padding:1.5rem 1rem 3rem}
 h1{font-size:1.6rem}
 section{margin-top:2.75rem}
 .cards{grid-template-columns:1fr}
 .smalls{grid-template-columns:repeat(2,minmax(0,1fr))}
 .made div{grid-template-columns:1fr;gap:0}
 .labelcell{max-width:9rem;min-width:6rem}
 th,td{padding:.4375rem .5rem}
 .overall tbody th{min-width:10rem}
 .overall .barcell{display:none}
 .candidate{min-width:6.5rem}
 .choice small,.choice thead th{white-space:normal}
}
"""
PRINT = """
@media print{
 @page{margin:16mm}
 body{max-width:none;padding:0;font-size:10pt}
 nav{display:none}
 section{margin-top:1.5rem}
 h2,h3,caption{break-after:avoid}
 figure,.card,.error,.list,tr{break-inside:avoid}
 .box{overflow:visible}
 .labelcell{position:static}
 .plot{max-width:11cm}
 .smalls{grid-template-columns:repeat(4,1fr)}
 .lists{grid-template-columns:repeat(3,1fr)}
 .card{border:1px solid var(--line)}
 summary{color:var(--soft)}
}
"""
STYLE = "".join(
    [
        f":root{{color-scheme:light dark;{variables(LIGHT)}}}\n",
        f"@media screen and (prefers-color-scheme:dark){{:root{{{variables(DARK)}}}}}",
        RULES,
        PRINT.lstrip(),
    ]
)
