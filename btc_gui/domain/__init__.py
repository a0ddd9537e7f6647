"""What the benchmark is: dataclasses and pure functions. No files but resources, no network, no SQL, no Qt."""
