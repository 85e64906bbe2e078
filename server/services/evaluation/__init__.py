"""Evaluations of live games for their viewers, and analyses of whole games."""
