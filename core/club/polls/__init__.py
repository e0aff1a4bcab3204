"""What the club reads next: suggestions and polls."""
