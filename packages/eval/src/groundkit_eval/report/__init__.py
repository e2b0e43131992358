"""Results as tables and pages."""

from groundkit_eval.report.html import to_html
from groundkit_eval.report.load import load_result
from groundkit_eval.report.markdown import to_markdown

__all__ = ["load_result", "to_html", "to_markdown"]
