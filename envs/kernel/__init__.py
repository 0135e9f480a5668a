"""The kernel: what an environment is, and the laws that hold for every one of them.

Decides nothing about storage, transport, players or pictures. No I/O, no clock, no globals.
"""
