"""The commands of a learner: one file each, and `cli.py`, which lists them."""
