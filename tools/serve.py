"""Serve the built book on this machine: ``python -m tools.serve``, or ``make serve``."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Sequence
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ADDRESS = "127.0.0.1"
"""Nobody but this machine is served."""

BUILT = Path("_build", "html")


class ServeError(RuntimeError):
    """The book cannot be served: the message says why, and what to do."""


class Handler(SimpleHTTPRequestHandler):
    """Files as they are now, under the types that browsers insist on, without a line for each."""

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
        """Have browsers ask whether a file has changed: the book may have been built again."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing of what went well."""

    def log_error(self, format: str, *args: Any) -> None:
        """Say what did not."""
        super().log_message(format, *args)


class Server(ThreadingHTTPServer):
    """A server that never shares its port."""

    # on Windows this would let two servers have one port; elsewhere it only skips a wait
    allow_reuse_address = os.name != "nt"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a browser that has left before the end, and of the rest what went wrong."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def make_server(folder: Path, port: int) -> Server:
    """Return a server of a folder, bound to a port of this machine.

    Args:
        folder: where the files are.
        port: 0 for any that is free, or a port from 1 to 65535.

    Raises:
        ServeError: where the port cannot be had.
    """
    try:
        return Server((ADDRESS, port), partial(Handler, directory=str(folder)))
    except OSError as refused:
        if refused.errno in (errno.EADDRINUSE, getattr(errno, "WSAEADDRINUSE", None)):
            why = f"port {port} of {ADDRESS} is in use by another program"
        elif refused.errno in (errno.EACCES, getattr(errno, "WSAEACCES", None)):
            why = f"port {port} of {ADDRESS} may not be used by this account"
        else:
            raise
        other = port + 1 if 1024 <= port < 65535 else 8001
        raise ServeError(f"{why}. Choose another one: make serve PORT={other}") from refused


def port_number(text: str) -> int:
    """Read a port.

    Raises:
        argparse.ArgumentTypeError: where it is none.
    """
    if text.isascii() and text.isdigit() and int(text) <= 65535:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no port: expected a number from 1 to 65535")


def serve(folder: Path, port: int) -> None:
    """Serve a folder until interrupted.

    Raises:
        ServeError: where there is no built book, or the port cannot be had.
    """
    if not (folder / "index.html").is_file():
        raise ServeError(f"there is no built book in {folder}. Build it first: make book")
    with make_server(folder, port) as server:
        print(
            f"The book is at http://{ADDRESS}:{server.server_port}/ (Ctrl-C ends this)", flush=True
        )
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print("\nStopped.", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tools.serve", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=BUILT, help="default: %(default)s")
    parser.add_argument("--port", type=port_number, default=8000, help="default: %(default)s")
    parser.add_argument(
        "--check", action="store_true", help="only say whether the port can be had, and end"
    )
    options = parser.parse_args(arguments)
    try:
        if options.check:
            make_server(options.folder, options.port).server_close()
        else:
            serve(options.folder, options.port)
    except ServeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
