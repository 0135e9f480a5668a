"""For users' machines: play an Auditorium's instances over HTTP, from Gymnasium or in a TRL trainer.

Needs nothing of the server's code: the folder can be copied. `http` needs httpx, `gym` gymnasium as well.
"""
