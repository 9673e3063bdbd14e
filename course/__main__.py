"""`python -m course`, for when the `course` script is not on the path."""

from course.cli import main

main()
