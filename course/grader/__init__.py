"""Grading: from a graded test to the words that a learner reads."""
