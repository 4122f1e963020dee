"""Numba kernels: flat arrays in, flat arrays out. Nothing here imports anything else of slpc."""
