"""Takes the text and structure out of web pages, without what is around their content."""

from groundkit_index.loaders.html.loading import LOADER, HtmlLoader, add_html

__all__ = ["LOADER", "HtmlLoader", "add_html"]
