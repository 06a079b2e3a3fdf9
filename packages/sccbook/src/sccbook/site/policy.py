"""Write a Content-Security-Policy into each page, since a static host sends no headers.

A page runs the book's own scripts and nothing that gets into it: no other host's, no ``eval``, and no
script written in the page unless its hash is in the policy. Nor does a page fetch, send or frame anything.
"""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

POLICY = {
    # used where no rule below applies: for the next page, which Firefox fetches ahead
    "default-src": "'self'",
    # figures import their programs from blob addresses, which only a script can make
    "script-src": "'self' blob:",
    "style-src": "'self'",
    # of elements, not sheets: pictures in the page place and colour what they draw
    "style-src-attr": "'unsafe-inline'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    **dict.fromkeys(("connect-src", "frame-src", "media-src", "object-src"), "'none'"),
    # Python in the page: a worker fetches by itself, under no policy of the page's
    "worker-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
}
"""What each kind of content may come from; the hashes of what a page has written in it are added."""

NOT_FOUND = {"base-uri": "'self'", "connect-src": "'self'"}
"""What differs on a page with a ``<base>``: 404.html, which looks for the book's folder."""

INLINE = re.compile(r"<(script|style)((?:\s[^>]*)?)>(.*?)</\1>", re.DOTALL)
NOT_RUN = re.compile(r'\bsrc=|\btype="application/(?:ld\+)?json"')
WRITTEN = re.compile(r'\s*<meta http-equiv="Content-Security-Policy"[^>]*>')
CHARSET = re.compile(r"<head>\s*<meta charset=[^>]*>", re.IGNORECASE)
"""What the policy comes after: browsers look for the encoding in a page's first 1,024 bytes."""


def policy(page: str) -> str:
    """Return the policy that lets a page run the scripts and use the styles written in it."""
    hashes: dict[str, dict[str, None]] = {"script": {}, "style": {}}
    for kind, attributes, text in INLINE.findall(page):
        if not NOT_RUN.search(attributes):
            digest = b64encode(sha256(text.encode()).digest()).decode()
            hashes[kind][f"'sha256-{digest}'"] = None
    rules = {
        name: " ".join([allowed, *hashes.get(name.removesuffix("-src"), ())])
        for name, allowed in (POLICY | (NOT_FOUND if "<base " in page else {})).items()
    }
    return "; ".join(f"{name} {allowed}" for name, allowed in rules.items())


def guarded(page: str) -> str:
    """Return a page with its policy, in place of the one that it had."""
    page = WRITTEN.sub("", page)
    tag = f'\n<meta http-equiv="Content-Security-Policy" content="{policy(page)}">'
    return CHARSET.sub(lambda head: head[0] + tag, page, count=1)
