"""The refusals of the operations, and their words: one file for each family of operations.

A `check_...` returns nothing and raises if something is wrong. The others, mostly a `read_...`
or a `require_...`, return what they were given in the form that an operation works with, or
raise. All of them come before anything is computed.
"""
