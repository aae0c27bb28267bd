"""Which assignment a read of a variable sees, if the order of the statements alone decides it."""

from __future__ import annotations

from typedtool.migration.syntax import Tree, cst

__all__ = ["failed_too", "kept_until", "reaching", "reads_of", "references"]

_FUNCTIONS = (cst.FunctionDef, cst.Lambda, cst.ClassDef)
_LOOPS = (cst.For, cst.While)


def references(tree: Tree, name: cst.Name) -> list[cst.Name]:
    """Every place where the variable `name` is read, nested functions included, in the order of the text."""
    scope = tree.scope(name)
    if scope is None:
        return []
    found = {access.node for assignment in scope[name.value] for access in assignment.references}
    return sorted((node for node in found if isinstance(node, cst.Name)), key=lambda n: tree.span(n))


def reads_of(tree: Tree, target: cst.Name) -> list[cst.Name] | None:
    """The reads that see what `target` is assigned here; None if some read only may see it."""
    targets = _targets(tree, target)
    if targets == [target]:
        return references(tree, target)
    mine: list[cst.Name] = []
    for read in references(tree, target):
        seen = reaching(tree, read)
        if seen is None:
            return None
        if seen is target:
            mine.append(read)
    return mine


def reaching(tree: Tree, read: cst.Name) -> cst.Name | None:
    """The target of the one assignment that `read` sees, or None: on each path to it, the last assignment."""
    targets = _targets(tree, read)
    at = tree.span(read)[0]
    before = [t for t in targets if tree.span(t)[0] < at]
    if not before:
        return None
    last = max(before, key=lambda t: tree.span(t)[0])
    block = _block_of(tree, last)
    if block is None or not isinstance(last, cst.Name):
        return None
    loops: list[cst.CSTNode] = []
    for above in tree.ancestors(read):
        if above is block:
            others = (t for t in targets if t is not last)
            return None if any(_inside(tree, t, loop) for t in others for loop in loops) else last
        if isinstance(above, _FUNCTIONS):
            return None
        if isinstance(above, _LOOPS):
            loops.append(above)
    return None


def kept_until(tree: Tree, name: cst.Name, later: cst.CSTNode) -> bool:
    """Whether `name` has the same value at `later` as where it stands."""
    start, end = sorted((tree.span(name)[0], tree.span(later)[0]))
    between = [t for t in _targets(tree, name) if start < tree.span(t)[0] < end]
    same = tree.function(name) is tree.function(later)
    return same and not between


def failed_too(tree: Tree, node: cst.CSTNode, base: cst.CSTNode) -> bool:
    """Whether `node` is read from `base` where the code itself says that the result may have failed.

    That is in the branch that `base.isError` leads to, and before a check of it that is still to come.
    """
    same = tree.whole(base)
    for check in tree.error_checks.get(tree.function(node), ()):
        if tree.whole(check.value) != same:
            continue
        if _another(tree, base, check.value):
            continue
        led = _led_to(tree, node, check)
        if led or (led is None and tree.span(check)[0] > tree.span(node)[0]):
            return True
    return False


def _another(tree: Tree, one: cst.CSTNode, other: cst.CSTNode) -> bool:
    """Whether the two reads of one variable are known to see different assignments."""
    if not (isinstance(one, cst.Name) and isinstance(other, cst.Name)):
        return False
    seen = reaching(tree, one), reaching(tree, other)
    return None not in seen and seen[0] is not seen[1]


def _led_to(tree: Tree, node: cst.CSTNode, check: cst.Attribute) -> bool | None:
    """Whether `node` is in the branch that is taken where `check` is true; None where it is in neither."""
    below: cst.CSTNode = node
    for above in tree.ancestors(node):
        if (
            isinstance(above, (cst.If, cst.IfExp))
            and below is not above.test
            and _inside(tree, check, above.test)
        ):
            return (below is above.body) is not _negated(tree, check, above)
        if isinstance(above, cst.BaseSimpleComp) and below is not above.for_in:
            tests = [test for test in above.for_in.ifs if _inside(tree, check, test)]
            if tests:
                return not _negated(tree, check, tests[0])
        below = above
    return None


def _negated(tree: Tree, check: cst.CSTNode, top: cst.CSTNode) -> bool:
    negations = 0
    for above in tree.ancestors(check):
        if above is top:
            break
        negations += isinstance(above, cst.UnaryOperation) and isinstance(above.operator, cst.Not)
    return negations % 2 == 1


def _targets(tree: Tree, name: cst.Name) -> list[cst.CSTNode]:
    scope = tree.scope(name)
    found = [getattr(a, "node", None) for a in scope[name.value]] if scope is not None else []
    return [node for node in found if isinstance(node, cst.CSTNode)]


def _block_of(tree: Tree, target: cst.CSTNode) -> cst.CSTNode | None:
    """The block that is run only after `target` is assigned: that of the assignment, or the body of its loop."""
    loop = tree.parent(target)
    if isinstance(loop, cst.For) and loop.target is target:
        return loop.body
    for node in tree.ancestors(target):
        if isinstance(node, (cst.Assign, cst.AnnAssign)):
            line = tree.parent(node)
            return tree.parent(line) if isinstance(line, cst.SimpleStatementLine) else None
        if not isinstance(node, cst.AssignTarget):
            return None
    return None


def _inside(tree: Tree, node: cst.CSTNode, holder: cst.CSTNode) -> bool:
    return node is holder or any(above is holder for above in tree.ancestors(node))
