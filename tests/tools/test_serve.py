"""The server serves the built book, ends when it is interrupted, and says what is missing."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tools.serve import ADDRESS, main


@pytest.fixture
def book(tmp_path: Path) -> Path:
    (tmp_path / "index.html").write_text("<title>the book</title>")
    (tmp_path / "figure.js").write_text("1")
    return tmp_path


def test_what_is_missing_or_taken_is_reported_with_what_to_do(book: Path) -> None:
    with socket.socket() as taken:
        taken.bind((ADDRESS, 0))
        taken.listen()
        for check in ([], ["--check"]):
            with pytest.raises(SystemExit, match=r"in use.*make serve PORT="):
                main([str(book), "--port", str(taken.getsockname()[1]), *check])
    (book / "index.html").unlink()
    main([str(book), "--check", "--port", "0"])
    with pytest.raises(SystemExit, match="make book"):
        main([str(book), "--port", "0"])
    with pytest.raises(SystemExit, match="port 65536 can't be used"):
        main([str(book), "--check", "--port", "65536"])


def test_it_serves_prints_the_address_and_ends_cleanly_when_interrupted(book: Path) -> None:
    # where the tests run in the background, an interrupt is ignored, by children too
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    command = [sys.executable, "-m", "tools.serve", str(book), "--port", "0"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    signal.signal(signal.SIGINT, before)
    try:
        assert running.stdout
        address = running.stdout.readline().split()[4]
        with urllib.request.urlopen(address, timeout=10) as page:
            assert b"the book" in page.read()
            assert page.headers["Content-Type"].startswith("text/html")
            assert page.headers["Cache-Control"] == "no-cache"
        with urllib.request.urlopen(address + "figure.js", timeout=10) as script:
            assert script.headers["Content-Type"] == "text/javascript"
        running.send_signal(signal.SIGINT)
        _, complained = running.communicate(timeout=10)
    finally:
        running.kill()
    assert running.returncode == 0
    assert complained == ""
