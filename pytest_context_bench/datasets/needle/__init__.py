"""Needles in haystacks, made on the spot, to see whether a transformed context keeps what a question needs.

No file, no network and no model is needed: the answer stands once in the context, beside others of its form.
"""
