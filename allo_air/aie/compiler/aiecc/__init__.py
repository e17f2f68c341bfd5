"""`aiecc`, as a module."""
