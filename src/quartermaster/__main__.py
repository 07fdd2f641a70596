"""`python -m quartermaster` is the command line."""

from quartermaster.cli.main import app

app()
