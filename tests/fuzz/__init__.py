"""Everything that reads what comes from outside, fed with real files that were damaged in every way."""
