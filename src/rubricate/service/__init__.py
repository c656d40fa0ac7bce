"""Models over HTTP: `rubricate serve MODEL...`. Answers are those of the commands, byte for byte; nothing leaves the machine."""
