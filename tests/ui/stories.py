"""Every page and state of the page as a person comes to it, for the pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import httpx
from playwright.sync_api import Page, Route, expect

from envs.catalog import ENVIRONMENTS
from tests.ui.playing import ENVIRONMENT, REPAIR, began, choose, has_steps, link, play_step, submit

EASY, MEDIUM, HARD = "easy_ops_missing_001", "medium_finance_anomaly_001", "hard_energy_forecast_001"
FLAG = {"operation": "flag_anomaly", "target_index": 4, "rationale": "17:00 stands out."}
MODERATION, FLEET, ANALYST = "moderation", "fleet", "analyst"
OVERSEEN = (
    *(("approve", worker) for worker in range(4)),
    *(("monitor", worker) for worker in range(3)),
    ("pause", 1),
    ("intervene", 1),
    ("escalate", 2),
    ("resume", 1),
    ("approve", 0),
)
LOOKS: tuple[dict[str, object], ...] = (
    {"action": "fetch_thread_context"},
    {"action": "fetch_user_history"},
    {"action": "check_policy_clause", "parameters": {"clause_id": "insults"}},
)
WHO = "guest-5e1d"
PERSON, AGENT = {"X-Actor": f"human:{WHO}"}, {"X-Actor": "agent:zscore-2"}


@dataclass(frozen=True, slots=True)
class Stage:
    """Where a story is played: one person's browser, and a way to act as somebody else."""

    page: Page
    http: httpx.Client
    url: str

    def visit(self, path: str = "") -> Page:
        """Opens a page below `/ui/` and waits until it lives."""
        self.page.goto(f"{self.url}/ui/{path}")
        self.page.wait_for_selector("#live[data-mode]")
        return self.page

    def begin(
        self, by: Mapping[str, str] = PERSON, environment: str = ENVIRONMENT, **request: str | int
    ) -> dict[str, str]:
        """A new instance on which such a case was begun, by the person at the browser or another."""
        return began(self.http, environment, request, by)

    def play(self, task_id: str, **more: str) -> dict[str, str]:
        """A new instance with that case, opened in the browser."""
        made = self.begin(task_id=task_id)
        self.visit(link(made["id"], **more))
        self.page.locator("#submit-step").wait_for(state="attached")
        return made

    def agent(self, made: dict[str, str], action: dict[str, object], by: Mapping[str, str] = AGENT) -> None:
        """A step of an agent, over HTTP."""
        self.http.post(f"{made['base_url']}/step", json=action, headers=by).raise_for_status()


@dataclass(frozen=True, slots=True)
class Story:
    """A state of the page.

    Attributes:
        shows: What it is, in words.
        whole: The page from top to bottom, not what a screen shows of it at once.
        tolerates: Words of a console error that belong to the state.
    """

    name: str
    shows: str
    play: Callable[[Stage], None]
    whole: bool = True
    tolerates: str = ""


def drawn(page: Page) -> None:
    """Waits until the chart stands."""
    page.locator("series-chart .plot .main-svg").first.wait_for()


def picker(stage: Stage) -> None:
    stage.visit().locator("#picker h1").wait_for()


def picker_continue(stage: Stage) -> None:
    stage.play(HARD)
    play_step(stage.page)
    stage.page.locator(".brand").click()
    stage.page.locator("[data-open]").wait_for()


def start(stage: Stage) -> None:
    made = stage.http.post("/instances", json={"environment": ENVIRONMENT}).raise_for_status().json()
    stage.visit(link(made["id"])).locator("#scene form").wait_for()


def gap(stage: Stage) -> None:
    stage.play(EASY)
    drawn(stage.page)
    choose(stage.page, "Impute")
    stage.page.fill("#act-target_index", "3")


def cap(stage: Stage) -> None:
    made = stage.play(HARD)
    stage.agent(made, {**FLAG, "target_index": 3})
    has_steps(stage.page, 1)
    drawn(stage.page)
    choose(stage.page, "Repair and finalize")
    stage.page.fill("#act-target_index", "4")
    stage.page.fill("#act-predicted_value", "49")
    stage.page.locator("#act label", has_text="High").click()
    stage.page.locator("#scene label.option").first.click()
    stage.page.fill("#act-rationale", REPAIR["rationale"])  # pyright: ignore[reportArgumentType]


def field_errors(stage: Stage) -> None:
    stage.play(HARD)
    drawn(stage.page)
    choose(stage.page, "Impute")
    stage.page.fill("#act-target_index", "99")
    stage.page.fill("#act-predicted_value", "49")
    submit(stage.page)
    expect(stage.page.locator("[data-path='target_index'] .field-error")).to_be_visible()


def repaired(stage: Stage) -> None:
    stage.play(HARD)
    choose(stage.page, "Impute")
    stage.page.fill("#act-target_index", "4")
    stage.page.fill("#act-predicted_value", "95")
    stage.page.fill("#act-rationale", "17:00 is above the inverter rating of 100 MW.")
    submit(stage.page)
    has_steps(stage.page, 1)
    drawn(stage.page)


def looking_back(stage: Stage) -> None:
    made = stage.play(HARD)
    play_step(stage.page)
    stage.agent(made, {**FLAG, "target_index": 3})
    has_steps(stage.page, 2)
    drawn(stage.page)
    stage.page.locator("#timeline button.step").nth(1).click()
    expect(stage.page.locator("#reward h2")).to_have_text("Step 1")
    stage.page.locator(".taken summary").click()


def end(stage: Stage) -> None:
    made = stage.play(MEDIUM)
    stage.agent(made, {"operation": "flag_anomaly", "target_index": 3, "rationale": "It stands out."})
    has_steps(stage.page, 1)
    drawn(stage.page)
    choose(stage.page, "Repair and finalize")
    stage.page.fill("#act-target_index", "2")
    submit(stage.page)
    stage.page.locator(".compare li").first.wait_for()


def stale(stage: Stage) -> None:
    made = stage.play(HARD)
    drawn(stage.page)
    choose(stage.page, "Escalate")

    def overtake(route: Route) -> None:
        if '"fn_name":"act"' in (route.request.post_data or ""):
            stage.agent(made, FLAG)
        route.continue_()

    stage.page.route("**/component_server/*", overtake)
    submit(stage.page)
    expect(stage.page.locator(".note")).to_contain_text("moved first")
    has_steps(stage.page, 1)


def connection_lost(stage: Stage) -> None:
    stage.play(HARD)
    drawn(stage.page)
    choose(stage.page, "Escalate")
    stage.page.context.set_offline(True)
    submit(stage.page)
    expect(stage.page.locator(".note")).to_contain_text("Connection lost")


def absent(stage: Stage) -> None:
    stage.visit(link("0" * 32)).locator(".absent").wait_for()


def watch(stage: Stage) -> None:
    made = stage.begin(AGENT, task_id=HARD)
    stage.visit(link(made["watch_id"]))
    stage.page.locator("#act .act").wait_for()
    stage.agent(made, FLAG)
    has_steps(stage.page, 1)
    drawn(stage.page)


def commons(stage: Stage) -> None:
    shared = f"/envs/{ENVIRONMENT}"
    stage.http.post(f"{shared}/reset", json={"task_id": MEDIUM}, headers=AGENT).raise_for_status()
    stage.visit(link(f"default-{ENVIRONMENT}-v{ENVIRONMENTS[ENVIRONMENT].environment.version}"))
    stage.page.locator("#submit-step").wait_for()
    stage.http.post(f"{shared}/step", json={**FLAG, "target_index": 3}, headers=AGENT).raise_for_status()
    has_steps(stage.page, 1)
    drawn(stage.page)


def new_case(stage: Stage) -> None:
    stage.play(EASY)
    drawn(stage.page)
    stage.page.locator("#new-case summary").click()


def audit(stage: Stage) -> None:
    made = stage.begin(difficulty="medium", track="audit")
    stage.visit(link(made["id"]))
    drawn(stage.page)


def moderate(stage: Stage, *taken: dict[str, object], **more: str) -> Page:
    """A moderator's case on which that was done."""
    made = stage.begin(environment=MODERATION, task="hard", seed=777)
    for action in taken:
        stage.agent(made, action, {"X-Actor": "agent:careful"})
    return stage.visit(link(made["id"], MODERATION, **more))


def post(stage: Stage) -> None:
    moderate(stage).locator("#submit-step").wait_for()


def investigated(stage: Stage) -> None:
    page = moderate(stage, *LOOKS)
    page.locator("#submit-step").wait_for()
    choose(page, "Mark violation type")
    page.locator("#act label.option", has_text="Harassment").click()


def ruled(stage: Stage) -> None:
    mark: dict[str, object] = {
        "action": "mark_violation_type",
        "parameters": {"violation_type": "harassment"},
    }
    page = moderate(stage, *LOOKS, mark, {"action": "escalate"})
    page.locator(".compare li").first.wait_for()


def oversee(stage: Stage, *taken: tuple[str, int]) -> Page:
    """An overseer's shift on which that was done to workers by number."""
    made = began(stage.http, FLEET, {"task_id": "medium_fleet", "seed": 8}, PERSON, "/fleet/reset")
    for act, worker in taken:
        body = {"action_type": act, "worker_id": f"worker_{worker}"}
        stage.http.post(f"{made['base_url']}/fleet/step", json=body, headers=PERSON).raise_for_status()
    return stage.visit(link(made["id"], FLEET))


def shift(stage: Stage) -> None:
    page = oversee(stage, *OVERSEEN[:5])
    page.locator("#submit-step").wait_for()
    drawn(page)


def overseen(stage: Stage) -> None:
    page = oversee(stage, *OVERSEEN)
    page.locator(".compare li").first.wait_for()
    drawn(page)
    page.locator("route-inquiry button").first.click()
    page.locator("route-inquiry .meta").wait_for()


def analyse(stage: Stage, *questions: str) -> Page:
    """An analysis in which that was asked."""
    made = stage.http.post("/instances", json={"environment": ANALYST}).raise_for_status().json()["id"]
    base = f"/envs/{ANALYST}/instances/{made}/api"
    aim = {
        "user_id": WHO,
        "objective": "Why did revenue dip in the first quarter?",
        "business_questions": ["Which regions contribute most?", "Did any region decline?"],
    }
    stage.http.put(f"{base}/v1/analyses/{made}", json=aim, headers=PERSON).raise_for_status()
    for question in questions:
        body = {"user_id": WHO, "analysis_id": made, "message": question}
        stage.http.post(f"{base}/v2/chat/stream", json=body, headers=PERSON, timeout=60.0).raise_for_status()
    page = stage.visit(link(made, ANALYST))
    page.locator("source-shelf .source").first.wait_for()
    return page


def analysis(stage: Stage) -> None:
    analyse(stage).locator("source-questions button").first.wait_for()


def analysed(stage: Stage) -> None:
    page = analyse(stage, "How did total amount change by region last quarter?", "only West")
    page.locator("answer-chart .main-svg").first.wait_for()
    page.locator(".evidence > summary").first.click()
    page.evaluate("scrollTo(0, 0)")


def asked_back(stage: Stage) -> None:
    analyse(stage, "best product").locator(".options-row button").first.wait_for()


def training(stage: Stage) -> None:
    page = stage.visit(f"plots?env={FLEET}")
    page.locator("curve-chart .main-svg").first.wait_for()


def moderation_api(stage: Stage) -> None:
    moderate(stage, tab="api").locator("#api-title").wait_for()


def keys(stage: Stage) -> None:
    stage.play(HARD)
    drawn(stage.page)
    stage.page.keyboard.press("?")
    expect(stage.page.locator("#keys-dialog")).to_be_visible()


def api(stage: Stage) -> None:
    stage.play(HARD, tab="api")
    stage.page.locator("#api-title").wait_for()
    stage.page.locator("#api-submit").click()
    expect(stage.page.locator("#api-answer")).to_have_attribute("aria-busy", "false")
    expect(stage.page.locator("#api-status-code")).to_contain_text("200")


def agent(stage: Stage) -> None:
    stage.play(HARD, tab="api")
    stage.page.locator("#api-title").wait_for()
    stage.page.locator(".api-agent label", has_text="0.1 s").click()
    stage.page.locator("#api-agent-run").click()
    expect(stage.page.locator("#api-agent-state")).to_have_text("The episode is over.")
    stage.page.locator("#api-agent").scroll_into_view_if_needed()


def page_of(name: str) -> Callable[[Stage], None]:
    """The story of a page that is only opened."""

    def story(stage: Stage) -> None:
        page = stage.visit(name)
        page.locator("#page h1").wait_for()
        if name.startswith(("reports", "plots")):
            page.locator(".results :is(.report, .plot-card .main-svg, .empty)").first.wait_for()

    return story


def docs(stage: Stage) -> None:
    stage.page.goto(f"{stage.url}/docs")
    stage.page.locator(".opblock").first.wait_for()


STORIES: tuple[Story, ...] = (
    Story("picker", "Choosing what to play", picker),
    Story("picker-continue", "Choosing, with something left unfinished", picker_continue),
    Story("start", "An instance without a case", start),
    Story("gap", "A case with a gap, the point picked", gap),
    Story("cap", "A case with a limit, after an agent’s step, the form filled in", cap),
    Story("audit", "A generated case of the audit track, with its seed", audit),
    Story("field-errors", "What is wrong, said at its field", field_errors),
    Story(
        "repaired", "After a step that was not the right one: the written value over the observed", repaired
    ),
    Story("looking-back", "Looking back at a step of two", looking_back),
    Story("end", "The end: grade, and the baselines on the same case", end),
    Story("new-case", "Choosing the next case", new_case, whole=False),
    Story("stale", "Somebody moved first", stale, whole=False),
    Story("connection-lost", "The connection is lost", connection_lost, False, "ERR_INTERNET_DISCONNECTED"),
    Story("absent", "An instance that is not there", absent),
    Story("watch", "Behind a watch link", watch),
    Story("commons", "The instance that everybody shares", commons),
    Story("post", "Moderation: a post nobody has looked into", post),
    Story("investigated", "Moderation: thread, history and a clause opened", investigated),
    Story("ruled", "Moderation: the end, with the policy’s ruling", ruled),
    Story("moderation-api", "Moderation: its routes in the API tab", moderation_api),
    Story("shift", "Fleet oversight: a shift after five acts", shift),
    Story("overseen", "Fleet oversight: the end, with the truth beside what was done", overseen),
    Story("analysis", "Data analyst: before the first question", analysis),
    Story("analysed", "Data analyst: answers with table, picture and evidence", analysed, whole=False),
    Story("asked-back", "Data analyst: a question that has to be asked back", asked_back, whole=False),
    Story("training", "Fleet oversight: the curves of training, on Plots", training),
    Story("keys", "The list of keys", keys, whole=False),
    Story("api", "The API tab, a step sent", api),
    Story("agent", "The API tab, a baseline has played", agent),
    Story("reports", "Reports", page_of("reports")),
    Story("plots", "Plots", page_of("plots?env=forecast-audit")),
    Story("leaderboard", "Leaderboard", page_of("leaderboard")),
    Story("human-baseline", "Human baseline", page_of("human-baseline")),
    Story("about", "About", page_of("about")),
    Story("docs", "All routes, at /docs", docs, whole=False),
)
