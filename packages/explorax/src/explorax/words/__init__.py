"""Words with numbers in them: number formats and templates."""
