"""Chooses the threshold of a collection's confidence gate on judged queries."""
