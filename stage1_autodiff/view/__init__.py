"""The graph made visible: pictures, the film of the backward pass, and reports in numbers.

Everything here only looks. No file of it changes a node, and no exercise needs it.
"""
