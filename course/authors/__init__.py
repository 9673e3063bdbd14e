"""What authors and CI run: checks of the exercises, mutants, notebooks, suites."""
