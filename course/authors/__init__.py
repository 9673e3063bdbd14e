"""The tools of authors and CI: checks of the exercises, mutants, notebooks, suites."""
