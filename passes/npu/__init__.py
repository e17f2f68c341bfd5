"""From operations of a runtime sequence to register writes."""
