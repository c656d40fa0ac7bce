"""A topic followed through a stream (routing), a pile judged until recall is reached (screening)."""
