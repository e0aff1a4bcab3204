"""Which files can be read and which cannot yet; called by the choice of a reader and where bytes are refused."""

TEXT_ENDINGS = (".txt", ".text")
MARKDOWN_ENDINGS = (".md", ".markdown")
LATER_ENDINGS = (".pdf", ".epub")

KNOWN = ", ".join((*TEXT_ENDINGS, *MARKDOWN_ENDINGS))
NOT_YET = f"PDF and EPUB cannot be read yet (they come later), only {KNOWN} can"
