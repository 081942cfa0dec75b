"""Nodes of a management cluster, whose containers are processes of this machine: README.md."""
