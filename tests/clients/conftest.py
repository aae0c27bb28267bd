"""What is written for SDK 2.x is not collected on 1.x."""

from connecting import SDK1

collect_ignore = ["test_transports.py", "test_sep_2106.py"] if SDK1 else []
