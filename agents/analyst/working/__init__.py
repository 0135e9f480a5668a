"""Working: from a message to tool calls, results and an answer, in a process of its own.

    workshop = Workshop(Uploads(store))
    worked = await workshop.turn(Asked(analysis_id=…, message=…, now=…), on_status)

`workshop` is the server's side and loads no engine; `child` is the process. Leaves to others who may ask,
what is kept of a turn, and who pays for a model.
"""
