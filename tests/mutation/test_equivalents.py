"""The list of equivalent mutants names lines that are still there."""

from __future__ import annotations

import pathlib

import msgspec

import typedtool

LISTED = pathlib.Path(__file__).with_name("equivalent.toml")


def test_each_equivalent_mutant_changes_lines_of_its_module_and_says_why() -> None:
    listed = msgspec.toml.decode(LISTED.read_bytes())["mutant"]
    for each in listed:
        assert each.keys() == {"module", "removed", "added", "because"}, each
        path = pathlib.Path(typedtool.__file__).parent / (each["module"].replace(".", "/") + ".py")
        lines = {line.strip() for line in path.read_text("utf-8").splitlines()}
        gone = {line.strip() for line in each["removed"].strip().splitlines()} - lines
        assert not gone, f"{each['module']}: {gone} is not there any more"
        assert each["removed"].strip() != each["added"].strip() and len(each["because"].split()) > 2, each
