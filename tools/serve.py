"""Serve the built book on this machine: ``python -m tools.serve``, or ``make serve``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

ADDRESS = "127.0.0.1"
"""Only this machine can open the book."""

BUILT = Path("_build", "html")


class Handler(SimpleHTTPRequestHandler):
    """Serve files as they are now, and report errors only."""

    protocol_version = "HTTP/1.1"
    extensions_map = {  # noqa: RUF012 - as the base class declares it
        **SimpleHTTPRequestHandler.extensions_map,
        # a machine's own table may say text/plain
        ".css": "text/css",
        ".html": "text/html",
        ".js": "text/javascript",
        ".json": "application/json",
        ".mjs": "text/javascript",
        ".svg": "image/svg+xml",
        ".woff2": "font/woff2",
    }

    def end_headers(self) -> None:
        """Make browsers ask whether a file has changed, because the book may have been rebuilt."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Show the book's own page where nothing is found, as hosts of static sites do."""
        page = Path(self.directory, "404.html")
        if code == HTTPStatus.NOT_FOUND and page.is_file():
            self.log_error("nothing is at %s", self.path)
            self.error_message_format = page.read_text(encoding="utf-8").replace("%", "%%")
        super().send_error(code, message, explain)

    def log_request(self, code: Any = "-", size: Any = "-") -> None:
        """Say nothing about what went well."""


class Server(ThreadingHTTPServer):
    """A server that doesn't mind a browser that leaves early."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report any other error."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def served(folder: Path, handler: type[Handler] = Handler) -> Iterator[str]:
    """Serve a folder on a free port; yield the address, without a slash at its end."""
    with Server((ADDRESS, 0), partial(handler, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://{ADDRESS}:{server.server_port}"
        server.shutdown()


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve a folder until interrupted; exit with a message if there is no book or no port."""
    parser = argparse.ArgumentParser(prog="python -m tools.serve", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=BUILT, help="default: %(default)s")
    parser.add_argument("--port", type=int, default=8000, help="default: %(default)s")
    parser.add_argument("--check", action="store_true", help="only check that the port is free")
    options = parser.parse_args(arguments)
    if not options.check and not (options.folder / "index.html").is_file():
        sys.exit(f"error: there is no built book in {options.folder}. Build it first: make book")
    try:
        server = Server((ADDRESS, options.port), partial(Handler, directory=str(options.folder)))
    except (OSError, OverflowError) as refused:
        sys.exit(
            f"error: port {options.port} can't be used: {refused}. Choose another: make serve PORT=..."
        )
    with server, suppress(KeyboardInterrupt):
        if not options.check:
            print(
                f"The book is at http://{ADDRESS}:{server.server_port}/ (Ctrl-C ends this)",
                flush=True,
            )
            server.serve_forever()


if __name__ == "__main__":
    main()
