"""Opening: the conversation of a server, put together from its settings."""

from __future__ import annotations

from collections.abc import Callable

from agents.analyst.conversing.conversation import Conversation
from agents.analyst.conversing.keeping import Kept, KeptInRedis
from agents.analyst.conversing.modelling import Modelling
from agents.analyst.conversing.settings import ConversationSettings
from agents.analyst.sources.uploads import Uploads
from agents.analyst.working.workshop import Workshop
from agents.settings import AgentSettings
from instances.service import Service
from instances.store import Store


def conversing(
    store: Store, settings: ConversationSettings, agents: AgentSettings
) -> Callable[[Service], Conversation]:
    """What makes the handler of the analyst's calls for a service over this store."""

    def make(service: Service) -> Conversation:
        kept = KeptInRedis(settings.redis_url, service.now) if settings.redis_url else Kept(service.now)
        uploads = Uploads(store)
        workshop, modelling = Workshop(uploads, settings.workshop), Modelling(service, agents)
        return Conversation(workshop, uploads, modelling, kept, settings, service.now)

    return make
