"""
The verdict as one self-contained page: no script, no link to anything outside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import jinja2

from oraclekeep.reports import wording

if TYPE_CHECKING:
    from collections.abc import Mapping

_PAGE: Final = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
content="default-src 'none'; style-src 'unsafe-inline'">
<title>oraclekeep: {{ headline }}</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; color: {{ "#1a7f37" if allowed else "#b3261e" }}; }
h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid #ddd; }
td.number, th.number { text-align: right; }
code { font: 13px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
</style>
</head>
<body>
<h1>{{ headline }}</h1>
<p>{{ about }}</p>
{% for title, findings in sections if findings %}
<h2>{{ title }}</h2>
<table>
<tr><th>row</th><th>where</th><th>what</th><th class="number">points</th></tr>
{% for one in findings %}
<tr><td>{{ one.rule }}</td>
<td><code>{{ wording.place(one) }}<br>{{ wording.one_line(one.test or "") }}</code></td>
<td>{{ wording.message(one) }}
{% if wording.change(one) %}<br><code>{{ wording.change(one) }}</code>{% endif %}
{% if one.advice %}<br>{{ wording.one_line(one.advice) }}{% endif %}</td>
<td class="number">{{ wording.price(one) }}</td></tr>
{% endfor %}
</table>
{% endfor %}
{% if lanes %}
<h2>Lanes</h2>
<table>
<tr><th>lane</th><th>result</th>
{% for count in wording.COUNTS %}<th class="number">{{ count }}</th>{% endfor %}
<th class="number">seconds</th></tr>
{% for name, lane in lanes.items() %}
<tr><td>{{ name }}</td><td>{{ lane["class"] }}</td>
{% for count in wording.COUNTS %}<td class="number">{{ lane[count] }}</td>{% endfor %}
<td class="number">{{ wording.seconds(lane.seconds) }}</td></tr>
{% endfor %}
</table>
{% endif %}
{% if witness %}
<h2>Witness</h2>
<ul>
{% for line in witness %}
<li>{{ line }}</li>
{% endfor %}
</ul>
{% endif %}
{% if remarks %}
<h2>About the runs</h2>
<ul>
{% for remark in remarks %}
<li>{{ remark }}</li>
{% endfor %}
</ul>
{% endif %}
</body>
</html>
"""


def page(verdict: Mapping[str, Any]) -> str:
    """
    Render one page; everything from outside is escaped.
    """
    blocking, told = wording.split(verdict)
    template = jinja2.Environment(
        autoescape=True, trim_blocks=True, undefined=jinja2.StrictUndefined
    ).from_string(_PAGE)
    return template.render(
        headline=wording.headline(verdict),
        about=wording.about(verdict),
        allowed=verdict["decision"] == "allow",
        sections=(("Why", blocking), ("Also seen", told)),
        lanes=verdict["lanes"],
        witness=wording.witness(verdict),
        remarks=wording.remarks(verdict),
        wording=wording,
    )
