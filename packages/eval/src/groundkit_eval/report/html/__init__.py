"""A result as one self-contained page."""

from groundkit_eval.report.html.page import to_html

__all__ = ["to_html"]
