"""Glassbox side by side with its peers: `python -m benchmarks`. README.md explains the rows."""
