"""The named pipelines as data. A file may define several `NamedPipeline` objects."""
