"""Working: from a message to tool calls, results and an answer, in a process of its own.

    async with Workshop(uploads) as workshop:
        worked = await workshop.turn(Asked(analysis_id=…, message=…, now=…), on_status)

Leaves to others who may ask, what is kept of a turn, and who pays for a model.
"""
