"""Makes `.venv` and installs the course into it: `python3 course/install.py [EXTRA ...]`.

Needs nothing but Python, and runs on old ones too, to say that they are too old. Uses uv where it
is there. Does nothing if everything is installed already.
"""

import hashlib
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
BIN = os.path.join(VENV, "Scripts" if os.name == "nt" else "bin")
PYTHON = os.path.join(BIN, "python.exe" if os.name == "nt" else "python")
STAMP = os.path.join(VENV, "glassbox-installed")
OLDEST = (3, 11)
NEWER = ["python3.14", "python3.13", "python3.12", "python3.11"]


def main(extras):
    """Install the extras into `.venv`; 0 if that went well."""
    if sys.version_info < OLDEST:
        return with_a_newer_python(extras)
    wanted = fingerprint(extras)
    if wanted in installed() and os.path.exists(PYTHON):
        return 0
    uv = shutil.which("uv")
    if not make_venv(uv):
        return 2
    packages = ["--editable", ROOT + "[" + ",".join(extras) + "]"]
    constraints = ["--constraint", os.path.join(ROOT, "constraints.txt")]
    commands = installers(uv if extras == ["course"] else None)
    print("Installing the course into .venv; the first time takes a minute or two.", flush=True)
    if not any(quietly([*command, *packages, *constraints]) for command in commands):
        version = ".".join(map(str, sys.version_info[:2]))
        print("The versions that CI tested cannot be installed on Python " + version + ".")
        print("Trying the newest releases of every package instead.", flush=True)
        if not any(run([*command, *packages]) for command in commands):
            print("install: expected the packages of the course, got the error above; is there a")
            print("network? On an unusual machine try a Python from https://www.python.org.")
            return 2
    with open(STAMP, "a", encoding="utf-8") as stamp:
        stamp.write(wanted + "\n")
    return 0


def with_a_newer_python(extras):
    """Run this file again with a Python that is new enough, or say where to get one."""
    newer = [path for path in map(shutil.which, NEWER) if path]
    if newer:  # each says itself what went wrong
        this_file = os.path.abspath(__file__)
        return 0 if any(run([path, this_file, *extras]) for path in newer) else 2
    version = ".".join(map(str, sys.version_info[:3]))
    print("install: expected Python 3.11 or newer, got Python " + version + ".")
    print("Get a newer one from https://www.python.org/downloads, or with uv:")
    print("  uv python install 3.13 && make start PYTHON=$(uv python find 3.13)")
    return 2


def make_venv(uv):
    """Make `.venv` unless it is there and works."""
    if os.path.exists(PYTHON) and quietly([PYTHON, "-c", "import pip"]):
        return True
    shutil.rmtree(VENV, ignore_errors=True)
    if uv and quietly([uv, "venv", "--seed", "--python", sys.executable, VENV]):
        made = True
    else:
        made = quietly([sys.executable, "-m", "venv", VENV])
    if not made or not quietly([PYTHON, "-c", "import pip"]):
        shutil.rmtree(VENV, ignore_errors=True)
        print("install: expected Python's venv module to work, got no usable .venv.")
        print("On Debian and Ubuntu: sudo apt install python3-venv. Anywhere: install uv.")
        return False
    with open(STAMP, "w", encoding="utf-8"):
        return True


def installers(uv):
    """The commands to install with, the preferred one first."""
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if not uv:
        return [pip]
    fast = [uv, "pip", "install", "--quiet", "--python", PYTHON]
    return [fast, [*fast, "--no-cache"], pip]  # without a cache, in case it cannot be written


def fingerprint(extras):
    """A hash of all that must be as it was for an installation to still be good."""
    parts = [ROOT, sys.version, *sorted(extras)]
    for name in ("pyproject.toml", "constraints.txt"):
        with open(os.path.join(ROOT, name), encoding="utf-8") as file:
            parts.append(file.read())
    return hashlib.sha256("\n".join(parts).encode("utf-8")).hexdigest()


def installed():
    """The fingerprints of what is installed in `.venv`."""
    try:
        with open(STAMP, encoding="utf-8") as stamp:
            return stamp.read().split()
    except OSError:
        return []


def run(command):
    """True if a command ends well; it may print."""
    return subprocess.call(command, cwd=ROOT) == 0


def quietly(command):
    """True if a command ends well; its output is not shown."""
    null = subprocess.DEVNULL
    return subprocess.call(command, cwd=ROOT, stdout=null, stderr=null) == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["course"]))
