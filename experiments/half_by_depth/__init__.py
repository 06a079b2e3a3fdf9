"""Does what the half does grow with K? ``protocol.md`` says how it was asked, ``report.md`` what came out."""
