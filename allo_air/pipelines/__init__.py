"""The named pipelines as data; a file may define several `NamedPipeline` objects."""
