"""The refusals of the operations, and their words: one file for each family of operations.

A `check_...` returns nothing and raises if something is wrong; a `read_...` or `require_...`
returns what it was given in the form that the operation works with. Both raise before anything is
computed.
"""
