"""An untouched Debian system in a folder: what a fresh machine is, as far as a folder can be one."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

PYTHON = "python3.14"
# what README asks for, and mount, to be let in
PACKAGES = (
    PYTHON,
    f"{PYTHON}-venv",
    "make",
    "git",
    "ca-certificates",
    "chromium",
    "bubblewrap",
    "mount",
)
# how this machine reaches the package indexes
NETWORK = (
    "/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs/ca-certificates.crt", "/etc/pip.conf", "/root/.npmrc",
)  # fmt: skip
SETTINGS = (
    "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE",
    "PIP_CERT", "PIP_INDEX_URL", "PIP_DEFAULT_TIMEOUT", "NODE_EXTRA_CA_CERTS", "npm_config_registry",
)  # fmt: skip


def why_not() -> str | None:
    """Say what is missing to make such a system here; None where it can be made."""
    if os.geteuid() != 0:
        return "it takes root"
    missing = [name for name in ("mmdebstrap", "unshare", "pivot_root") if not shutil.which(name)]
    return f"{', '.join(missing)} is not installed" if missing else None


def make_system(root: Path) -> None:
    """Make the system: Debian's unstable, which has the newest Python, without Node.

    Raises:
      CalledProcessError: where mmdebstrap fails; what it said is on stderr.
    """
    subprocess.run(
        [
            "mmdebstrap", "--quiet", "--mode=root", "--variant=apt", f"--include={','.join(PACKAGES)}",
            "--aptopt=Acquire::Check-Valid-Until \"false\"", "sid", str(root),
        ],
        check=True,
    )  # fmt: skip
    for name in NETWORK:
        source, target = Path(name), root / name.lstrip("/")
        if source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.unlink(missing_ok=True)
            shutil.copyfile(source, target)


def inside(root: Path, folder: str, command: list[str]) -> list[str]:
    """Return the command that runs another one in the system, with nothing of this environment.

    Args:
      root: where the system is.
      folder: where in it the command runs.
      command: the program and its arguments.
    """
    kept = [f"{name}={os.environ[name]}" for name in SETTINGS if name in os.environ]
    clean = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LANG=C.UTF-8", *kept]
    # a root of its own, and no chroot: there bubblewrap may not make its namespaces
    script = """
        mount --bind "$0" "$0" && cd "$0" && mount --bind /dev dev && mount -t proc proc proc
        mount -t tmpfs tmpfs dev/shm && pivot_root . mnt && exec chroot . sh -c '
            umount -l /mnt && exec env -i -C "$@"' sh "$@"
    """
    namespace = ["unshare", "--mount", "--propagation", "private"]
    return [*namespace, "sh", "-c", script, str(root), folder, *clean, *command]
