"""Print how big code is in syntax-tree nodes, by folder; formatting and docstrings can't change it.

Run: python -m benchmarks.house_size core adapters bot
"""

import ast
import sys
from collections import Counter
from pathlib import Path


def nodes(source: str) -> int:
    """Return how many nodes the syntax tree of a module has, without docstrings."""
    tree = ast.parse(source)
    docstrings = sum(
        ast.get_docstring(node, clean=False) is not None
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    )
    return sum(1 for _ in ast.walk(tree)) - 2 * docstrings


def main() -> None:
    """Print a line for each folder, and the sum."""
    found = [path for root in sys.argv[1:] for path in sorted(Path(root).rglob("*.py"))]
    sizes: Counter[str] = Counter()
    for path in found:
        sizes[str(path.parent)] += nodes(path.read_text("utf-8"))
    for folder, size in sizes.most_common():
        print(f"{size:>9,} nodes  {folder}")
    print(f"{sizes.total():>9,} nodes  {len(found)} files")


if __name__ == "__main__":
    main()
