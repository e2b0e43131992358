"""Measures the service over HTTP beside the same searches in the process."""
