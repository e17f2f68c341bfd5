"""What several rooms need to build and rewrite operations; nothing here decides."""
