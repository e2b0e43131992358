"""Texts, configuration and code in a few lines each."""

from __future__ import annotations

PROSE = "The signing key is rotated every ninety days. Two copies are kept, in Köln and 東京."

HTML = """\
<!doctype html>
<html lang="de"><head><meta charset="utf-8"><title>Keys</title><style>p {}</style></head>
<body><nav><a href="/">Home</a></nav><main><h1 id="keys">Keys</h1>
<p>The signing key is rotated every ninety days.
Two copies are kept, in Köln and 東京.</p>
<ul><li>one<ul><li>two</li></ul></li></ul><p hidden>unseen</p>
<table><tr><th>Name</th><th>Price</th></tr><tr><td>a</td><td>1&nbsp;&euro;</td></tr></table>
<pre><code>x = 1
y = 2</code></pre></main><footer>Imprint</footer><script>var x = "<p>";</script></body></html>
"""
TEXTS = {
    "keys.md": """\
---
title: Keys
tags: [a, b]
---
# Keys

The signing key is rotated every ninety days. Two copies are kept, in Köln and 東京.

- one
  - two

| Name | Price |
| --- | --- |
| a | 1 |

```python
x = 1
```

> quoted

## Backup

Keep [two](https://x.invalid "t") copies.
""",
    "page.mdx": """\
import X from "x"

# Keys

<X a={1}>

text

</X>
""",
    "keys.rst": """\
Keys
====

The signing key is rotated every ninety days. Two copies are kept, in Köln and 東京.

.. note:: Watch out.

- one

  - two

=====  =====
Name   Price
=====  =====
a      1
=====  =====

Backup
------
::

    code
""",
    "keys.adoc": """\
= Keys
:toc:

The signing key is rotated every ninety days. Two copies are kept, in Köln and 東京.

== Backup

* one
** two

|===
|Name |Price
|a |1
|===

----
code
----
""",
    "notes.txt": """\
KEYS

The signing key is rotated every ninety days. Two copies are kept, in Köln and 東京.

Backup:
  two copies.
\f
Next page.
""",
    "prices.csv": '''\
name,price,note
a,1,"x, ""y"""
b,2,"two
lines"
c,3,ü
''',
    "prices.tsv": """\
name\tprice
a\t1
b\t2
""",
    "setup.json": """\
{"keys": {"days": 90, "copies": ["Köln", "東京"], "on": true}, "none": null}
""",
    "setup.yaml": """\
keys:
  days: 90
  copies:
    - Köln
    - |
      two
      lines
&a x: *a
""",
    "setup.toml": '''\
title = "Keys"
[keys]
days = 90
copies = ["Köln", """
two
"""]
[[more]]
a = 1
''',
    "setup.ini": """\
[keys]
days = 90
; note
copies = a
  b
""",
    "setup.xml": """\
<?xml version="1.0"?><keys days="90"><copy>Köln</copy><!-- x --></keys>
""",
    "talk.srt": """\
1
00:00:01,000 --> 00:00:03,500
<i>Hello</i> there

2
00:00:04,000 --> 00:00:06,000
- Two
- lines
""",
    "talk.vtt": """\
WEBVTT - Talk

NOTE x

1
00:01.000 --> 00:02.000 align:start
<v Ann>Hi &amp; bye</v>

00:03.000 --> 00:04.000
more
""",
}
CODE = {
    "a.py": '''\
"""Doc."""


class Key:
    """A key."""

    @property
    def days(self) -> int:
        return 90


def rotate(x, *y):
    """Rotate."""
    return f"{x!r} {{}}"
''',
    "a.js": """\
export class Key {
  days() { return `a${1}` }
}
const f = (x) => { return /[/]/ }
""",
    "a.ts": """\
export interface Key { days: number }
export function f<T>(x: T): T { return x }
""",
    "a.go": """\
package a

func (k *Key) Days() int {
\treturn 90
}

var s = `raw "`
""",
    "a.rs": """\
#[derive(Debug)]
pub struct Key<'a> { s: &'a str }
impl Key<'_> { fn f(&self) {} }
""",
    "a.java": """\
package a;
class Key {
  /** Doc. */
  int days() { return '"'; }
}
""",
    "a.c": """\
#include <x.h>
#define F(x) \\
  (x)
static int days(void)
{
  return "}"[0];
}
""",
    "a.cpp": """\
namespace k { template <class T> class Key { void f() { R"x(})x"; } }; }
""",
    "a.rb": """\
module K
  class Key
    def days = 90
    def s
      <<~X
        end
      X
    end
  end
end
""",
    "a.php": """\
<?php
namespace K;
class Key { function f() { return <<<X
}
X; } }
?>
<p>x</p>
""",
    "a.cs": '''\
namespace K { class Key { int Days => 90; string s = @"""{"; } }
''',
    "a.sh": """\
rotate() {
  cat <<'X'
}
X
}
# note
rotate "$1"
""",
}
