"""Programs that take one measurement each in a process of their own and print it as JSON."""
