"""What DOCX, PPTX and XLSX share."""
