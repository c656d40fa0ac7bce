"""`make bench`: measure, and write RESULTS.md. `python -m benchmarks.run density thresholds` measures only these; the other parts
stay as they were last measured, each with its date, in results/."""

from __future__ import annotations

import datetime
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

from .texts import data_folder
from .told import PARTS

HERE = Path(__file__).parent
FOLDER = HERE / "results"
NEED_NO_DATA = ("text",)


def machine() -> str:
    """What was measured on."""
    name = platform.processor() or "unknown processor"
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        models = [
            line.split(":")[1].strip() for line in cpuinfo.read_text().splitlines() if line.startswith("model name")
        ]
        name = models[0] if models else name
    import numba
    import numpy
    import sklearn

    return (
        f"{name}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}, "
        f"numpy {numpy.__version__}, numba {numba.__version__}, scikit-learn {sklearn.__version__}"
    )


def measured(name: str) -> dict[str, Any]:
    """One benchmark, in a process of its own; what it found, when, where, and how busy the machine was as it began."""
    load = os.getloadavg()[0]
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{name}"], capture_output=True, text=True, check=False, env=os.environ
    )
    if done.returncode:
        raise SystemExit(f"benchmarks.{name}:\n{done.stderr[-3000:]}")
    found = json.loads(done.stdout.splitlines()[-1])
    return {
        "date": datetime.date.today().isoformat(),
        "machine": machine(),
        "load_before": round(load, 2),
        "found": found,
    }


def page() -> str:
    """All parts that have been measured."""
    lines = [
        "# Last measured",
        "",
        "Made by `make bench`; ratios are within one run. Each part says when and on what, and how busy the machine was as it "
        "began (1.00: one core at work besides).",
        "",
    ]
    for name, told in PARTS.items():
        path = FOLDER / f"{name}.json"
        if path.exists():
            held = json.loads(path.read_text("utf-8"))
            lines += [
                *told(held["found"]),
                f"<sub>`{name}`: {held['date']}; load {held['load_before'] or 'not noted'}; {held['machine']}</sub>",
                "",
            ]
    return "\n".join(lines)


def main(names: list[str]) -> None:
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        raise SystemExit(f"no such part: {', '.join(unknown)}; there are {', '.join(PARTS)}")
    FOLDER.mkdir(exist_ok=True)
    for name in names or list(PARTS):
        if name not in NEED_NO_DATA and data_folder() is None:
            print(f"{name}: left out, it needs the real collections (RUBRICATE_DATA)", flush=True)
            continue
        print(name, flush=True)
        held = measured(name)
        (FOLDER / f"{name}.json").write_text(json.dumps(held, indent=1) + "\n", "utf-8")
        print("\n".join(PARTS[name](held["found"])), flush=True)
    (HERE / "RESULTS.md").write_text(page(), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
