"""`python -m envs.moderation.policy`: the policy as the page `docs/moderation-policy.md`."""

from __future__ import annotations

import sys

from envs.moderation.policy.wording import page

if __name__ == "__main__":
    sys.stdout.write(page())
