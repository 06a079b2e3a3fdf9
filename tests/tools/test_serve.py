from __future__ import annotations

import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tools.serve import ADDRESS, ServeError, main, make_server


@pytest.fixture
def book(tmp_path: Path) -> Path:
    (tmp_path / "index.html").write_text("<title>the book</title>")
    (tmp_path / "figure.js").write_text("1")
    return tmp_path


@pytest.fixture
def taken_port():
    with socket.socket() as taken:
        taken.bind((ADDRESS, 0))
        taken.listen()
        yield taken.getsockname()[1]


def start(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tools.serve", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_port_in_use_is_named_with_what_to_do(book, taken_port, capsys):
    assert main([str(book), "--port", str(taken_port)]) == 1
    said = capsys.readouterr().err
    assert f"port {taken_port} of 127.0.0.1 is in use" in said
    assert "make serve PORT=" in said


def test_check_says_whether_the_port_can_be_had_without_a_book(tmp_path, taken_port, capsys):
    assert main([str(tmp_path / "none"), "--check", "--port", "0"]) == 0
    assert main([str(tmp_path / "none"), "--check", "--port", str(taken_port)]) == 1
    assert "is in use" in capsys.readouterr().err


@pytest.mark.parametrize("port", ["eight", "-1", "65536", "80.5", ""])
def test_what_is_no_port_is_refused_by_name(port, capsys):
    with pytest.raises(SystemExit):
        main(["--port", port])
    assert f"{port!r} is no port" in capsys.readouterr().err


def test_a_missing_book_says_how_to_build_it(tmp_path, capsys):
    assert main([str(tmp_path), "--port", "0"]) == 1
    assert "make book" in capsys.readouterr().err


def test_a_second_server_on_the_same_port_is_an_error(book):
    with make_server(book, 0) as first, pytest.raises(ServeError, match="in use"):
        make_server(book, first.server_port)


@pytest.mark.parametrize(("error", "told"), [(ConnectionResetError, False), (ValueError, True)])
def test_a_browser_that_leaves_early_is_no_error_and_others_are_told(book, capsys, error, told):
    with make_server(book, 0) as server:
        try:
            raise error("of a request")
        except error:
            server.handle_error(None, (ADDRESS, 1))
    assert ("of a request" in capsys.readouterr().err) == told


def test_it_serves_prints_the_address_and_ends_cleanly_when_interrupted(book):
    # where the tests run in the background, an interrupt is ignored, by children too
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    running = start(str(book), "--port", "0")
    signal.signal(signal.SIGINT, before)
    try:
        line = running.stdout.readline()
        address = line.split()[4]
        with urllib.request.urlopen(address, timeout=10) as page:
            assert b"the book" in page.read()
            assert page.headers["Content-Type"].startswith("text/html")
            assert page.headers["Cache-Control"] == "no-cache"
        with urllib.request.urlopen(address + "figure.js", timeout=10) as script:
            assert script.headers["Content-Type"] == "text/javascript"
        running.send_signal(signal.SIGINT)
        said, complained = running.communicate(timeout=10)
    finally:
        running.kill()
    assert running.returncode == 0
    assert said.strip() == "Stopped."
    assert complained == ""
