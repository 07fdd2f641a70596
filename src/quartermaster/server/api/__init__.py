"""What clients may ask of the server, route by route."""
