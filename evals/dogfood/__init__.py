"""This repository as a corpus: judged questions about it, and who may read the answers."""
