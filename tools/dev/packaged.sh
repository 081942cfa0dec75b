# What Debian packages are made of; sourced.

packaged=(ingot-coordinator ingot-agent ingotctl manuals)
