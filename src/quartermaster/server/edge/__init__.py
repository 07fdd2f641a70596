"""Where the server meets the world: limits, languages, mail, metrics."""
