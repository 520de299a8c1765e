"""The names that are maths, not words."""

FUNCTIONS = {
    *("sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh"),
    *("log", "ln", "lg", "exp"),
}
CONSTANTS = {"pi": "pi", "infty": "infinity", "infinity": "infinity", "inf": "infinity", "oo": "infinity"}
SYMBOLS = {
    *("alpha", "beta", "gamma", "delta", "epsilon", "varepsilon", "zeta", "eta", "theta", "vartheta", "iota"),
    *("kappa", "lambda", "mu", "nu", "xi", "rho", "sigma", "tau", "upsilon", "phi", "varphi", "chi", "psi"),
    *(
        "omega",
        "Gamma",
        "Delta",
        "Theta",
        "Lambda",
        "Xi",
        "Pi",
        "Sigma",
        "Phi",
        "Psi",
        "Omega",
        "ell",
        "hbar",
    ),
}
NAMES = FUNCTIONS | CONSTANTS.keys() | {"sqrt", "and", "or", "base", "mod"}
SHORTEST_WORD = 3  # letters; fewer may as well be a product
