"""What several rooms ask of the IR; none of them changes it."""
