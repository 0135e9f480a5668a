"""What the desk can infer: hypotheses, what each finding says of them, and what the next look is worth.

Knows nothing of documents or players. A case is drawn from here (scenario, then findings), and a belief is
formed here from the findings that an episode has revealed.
"""
