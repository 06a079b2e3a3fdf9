"""Make the site that is published: PDFs, a zip, and a check of it all."""
