"""What the passes of traces share."""
