"""What a learner types: one file a command, and `cli.py`, which lists them."""
