"""`python -m course`, for when the `course` script is not on the path."""

from course.commands.cli import main

main()
