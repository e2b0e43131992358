"""Public judged sets: how well the engine ranks and abstains on questions nobody here wrote."""
