"""Studies: a question, the arms in which every deal or match is played to answer it, and the report.

Each question is a module with `PARTS`, `plans`, `tables` and `figure` (`study.QUESTIONS`): what is to be played, what
the rows say, and how it is drawn. A study is a directory, with a run (`store.py`) for each of its parts in it.
"""
