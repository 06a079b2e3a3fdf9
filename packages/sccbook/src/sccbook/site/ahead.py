"""Execute the chapters ahead of Sphinx, some at a time.

Sphinx executes a chapter when it comes to read it: one after another, on one core. Those that
it is about to read and that jupyter-cache does not have are executed here first, side by side,
and put into the same cache, where Sphinx then finds them. A chapter that fails is not put
there. Sphinx executes it again, and says what is wrong and stops as its settings have it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

from sccbook.site.execution import inputs_of, with_key

AT_ONCE = 2
"""Kernels that run side by side. Each takes a core and some hundred megabytes."""

KEPT = 60
"""Executed chapters that the cache keeps: those of now, and of the last changes."""

LOG = logging.getLogger(__name__)


def execute_ahead(app: Sphinx, env: BuildEnvironment, names: Sequence[str]) -> None:
    """Execute the chapters among the documents of these names that the cache does not have."""
    from jupyter_cache import get_cache

    settings: Any = env.mystnb_config  # type: ignore[attr-defined]  # MyST-NB has put it there
    if settings.execution_mode != "cache":
        return
    cache = get_cache(settings.execution_cache_path)
    cache.change_cache_limit(KEPT)
    paths = [Path(env.doc2path(name)) for name in names]
    missing = [
        (path, notebook)
        for path, notebook in ((path, notebook_of(path, env)) for path in paths)
        if notebook is not None and not is_cached(cache, notebook)
    ]
    if missing:
        LOG.info("executing chapters: %d, %d at a time ...", len(missing), AT_ONCE)
        execute_all(
            missing,
            cache,
            settings.execution_timeout,
            allow_errors=settings.execution_allow_errors,
        )


def notebook_of(path: Path, env: BuildEnvironment) -> NotebookNode | None:
    """Return the notebook that MyST-NB will find in a file; None for a page without code."""
    from myst_nb.core.read import create_nb_reader

    settings: Any = env
    text = path.read_text(encoding="utf-8")
    if files := inputs_of(path, text, Path(env.srcdir)):
        text = with_key(text, files)
    reader = create_nb_reader(str(path), settings.myst_config, settings.mystnb_config, text)
    return None if reader is None else reader.read(text)


def is_cached(cache: Any, notebook: NotebookNode) -> bool:
    """Say whether a cache has a notebook of this code."""
    try:
        cache.match_cache_notebook(notebook)
    except KeyError:
        return False
    return True


def execute_all(
    notebooks: Sequence[tuple[Path, NotebookNode]],
    cache: Any,
    timeout: int,
    *,
    allow_errors: bool = False,
) -> None:
    """Execute notebooks, ``AT_ONCE`` side by side, and put those that succeed into a cache.

    Args:
        notebooks: each with its file, in whose folder it runs.
        cache: jupyter-cache's, whose records name a notebook by its code.
        timeout: seconds that one cell may take.
        allow_errors: whether a notebook goes on after a cell that raises, and succeeds.
    """
    from jupyter_cache.base import CacheBundleIn
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError

    def seconds_for(path: Path, notebook: NotebookNode) -> float | None:
        # a cell's times would be in its metadata, by which, with its code, the cache knows it
        client = NotebookClient(
            notebook,
            timeout=timeout,
            allow_errors=allow_errors,
            coalesce_streams=True,  # what a slow cell prints in pieces, MyST-NB puts on lines of their own
            record_timing=False,
            resources={"metadata": {"path": str(path.parent)}},
        )
        begun = time.perf_counter()
        try:
            asyncio.run(client.async_execute())
        except (CellExecutionError, CellTimeoutError):
            return None  # Sphinx will come to the same end
        return time.perf_counter() - begun

    with ThreadPoolExecutor(AT_ONCE) as threads:
        times = threads.map(lambda each: seconds_for(*each), notebooks)
        for (path, notebook), seconds in zip(notebooks, times, strict=True):
            if seconds is not None:
                bundle = CacheBundleIn(notebook, str(path), data={"execution_seconds": seconds})
                cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
                LOG.info("executed %s in %.0f s", path.name, seconds)
