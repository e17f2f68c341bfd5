"""Builds the documentation as a site: python docs/site/build.py [--serve] [--pages-only], or `make docs`.

Written pages are copied to build/docs, and `pages.py` adds reference pages from the code. MkDocs builds the site from these in
build/site, in strict mode: a warning fails the build. Nothing of it is committed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import pages

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SOURCE, SITE = ROOT / "build/docs", ROOT / "build/site"
COPIED = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "bench/README.md": "benchmarks.md",
}
"""Pages outside docs/, and what they are called in the site."""
_LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)\s#]+)(#[^)\s]*)?\)")
_BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def site_name(path: Path) -> str | None:
    """What the file `path` is called in the site; None for one that is no page of it."""
    relative = path.resolve().relative_to(ROOT).as_posix()
    if relative in COPIED:
        return COPIED[relative]
    return relative.removeprefix("docs/") if relative.startswith("docs/") and path.suffix in (".md", ".png", ".svg") else None


def with_site_links(text: str, page: Path) -> str:
    """The text of `page` with links as they are in the site; links to files that are no pages become plain text."""
    fenced: list[str] = []

    def keep(match: re.Match[str]) -> str:
        fenced.append(match[0])
        return f"\0{len(fenced) - 1}\0"

    def link(match: re.Match[str]) -> str:
        name = site_name(page.parent / match[1])
        return f"]({name}{match[2] or ''})" if name else "](#)"

    text = _LINK.sub(link, _BLOCK.sub(keep, text))
    text = re.sub(r"\[([^\]]*)\]\(#\)", r"\1", text)
    return re.sub(r"\0(\d+)\0", lambda m: fenced[int(m[1])], text)


def copy_pages() -> None:
    """Copies written pages and pictures."""
    for path in sorted((ROOT / "docs").glob("*.*")):
        name = site_name(path)
        if name and path.suffix == ".md":
            (SOURCE / name).write_text(with_site_links(path.read_text(encoding="utf-8"), path), encoding="utf-8")
        elif name:
            shutil.copy(path, SOURCE / name)
    for file, name in COPIED.items():
        path = ROOT / file
        (SOURCE / name).write_text(with_site_links(path.read_text(encoding="utf-8"), path), encoding="utf-8")


def configuration() -> Path:
    """mkdocs.yml with pages that its navigation does not name yet under "More"."""
    text = (HERE / "mkdocs.yml").read_text(encoding="utf-8").replace("../../build/", f"{ROOT.as_posix()}/build/")
    named = set(re.findall(r": ([\w/.-]+\.md)$", text, re.MULTILINE))
    others = sorted(p.name for p in SOURCE.glob("*.md") if p.name not in named)
    lines = ["  - More:", *(f"      - {name.removesuffix('.md')}: {name}" for name in others)] if others else []
    written = ROOT / "build/mkdocs.yml"
    written.write_text("\n".join([text.rstrip(), *lines, ""]), encoding="utf-8")
    return written


def main() -> int:
    """Writes the pages and builds or serves the site."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--serve", action="store_true", help="serve the site on localhost, too")
    parser.add_argument("--pages-only", action="store_true", help="write the pages to build/docs and stop")
    arguments = parser.parse_args()
    shutil.rmtree(SOURCE, ignore_errors=True)
    SOURCE.mkdir(parents=True)
    copy_pages()
    for name, text in pages.generated().items():
        (SOURCE / name).parent.mkdir(parents=True, exist_ok=True)
        (SOURCE / name).write_text(text, encoding="utf-8")
    for name, path in pages.test_files().items():
        (SOURCE / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, SOURCE / name)
    if arguments.pages_only:
        return 0
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    command = ["serve"] if arguments.serve else ["build", "--strict", "--quiet", "--site-dir", str(SITE)]
    done = subprocess.run([sys.executable, "-m", "mkdocs", *command, "-f", str(configuration())], check=False, env=environment)
    if done.returncode == 0 and not arguments.serve:
        print(f"the site is in {SITE.relative_to(ROOT)}")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
