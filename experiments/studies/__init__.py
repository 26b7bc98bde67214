"""Studies: a question, the arms in which every deal or match is played to answer it, and the report.

Each question is a module (`study.QUESTIONS`) with `PARTS`, what it can play, deals or matches; `checked`, which refuses
what it cannot be asked of; `arms`, `tables` and `figure`: what is played, what the rows say, and how that is drawn.
A study is a directory (`report.py`), with a run for each of its parts in it.
"""
