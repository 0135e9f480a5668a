"""What the fleet really does: five stages from a handbook to a search index, and what damage makes of it.

Decides nothing about faults, players or rewards; all of it is a pure function of the damage.
"""

from envs.fleet.works.answering import Answer, Source
from envs.fleet.works.building import Built, build
from envs.fleet.works.corpus import CORPUS_VERSION
from envs.fleet.works.damage import Damage
from envs.fleet.works.sampling import sample

__all__ = ["CORPUS_VERSION", "Answer", "Built", "Damage", "Source", "build", "sample"]
