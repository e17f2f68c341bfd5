"""The version of allo_air: the build, the tools and saved programs read it here."""

__version__ = "0.2.0"
