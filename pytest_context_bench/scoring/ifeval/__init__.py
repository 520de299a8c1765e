"""IFEval's 25 verifiable instructions, judged as the official `instruction_following_eval` judges them."""
