"""A request as code to copy does exactly what the request does, whatever stands in it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, Literal

import playwright
import pytest

SCRIPTS = Path(__file__).parent.parent.parent / "assets" / "js"
# Playwright brings its own, so that no other has to be installed.
NODE = Path(playwright.__file__).parent / "driver" / "node"
PATIENCE_S = 20
ANSWER = "größer"

HOSTILE = {
    "a plain action": '{\n  "operation": "accept",\n  "rationale": "fine"\n}',
    "single quotes": "{\"rationale\": \"it's 'quoted' twice: ''\"}",
    "double quotes and backslashes": r'{"rationale": "a \"word\" and a \\ \\\\ C:\\new\\temp \u0041 \n"}',
    "triple quotes": '{"rationale": "\'\'\' and """ and r\'\'"}',
    "newlines": '{\n\n\t"rationale":\n\n"x"\n}\n\n',
    "unicode": '{"rationale": "Größe 测试 🜁 \u202e turned \u2028 line"}',
    "shell words": '{"rationale": "$HOME $(id) `id` !! !x ; rm -rf & | > < * ? ~ # \\u0000 %s %d {a,b}"}',
    "python words": '{"rationale": "{name} {0} %(x)s \\\\N{DASH} \\\\x41"}',
    "no JSON at all": "@/etc/passwd",
    "a quote at its end": '{"rationale": "',
    "a backslash at its end": '{"rationale": "x\\',
    "a lone quote": "'",
    "dashes": "--data-raw '-X' DELETE",
}


@dataclass
class Heard:
    """What the listening server was sent."""

    url: str
    requests: list[tuple[str, str, dict[str, str], str]] = field(default_factory=list)


@pytest.fixture
def heard() -> Iterator[Heard]:
    """A server that writes down what it is sent, and refuses it."""

    class Listener(BaseHTTPRequestHandler):
        def answer(self) -> None:
            size = int(self.headers.get("content-length", 0))
            body = self.rfile.read(size).decode()
            headers = {name.lower(): value for name, value in self.headers.items()}
            told.requests.append((self.command, self.path, headers, body))
            self.send_response(418)
            self.send_header("content-length", str(len(ANSWER.encode())))
            self.end_headers()
            self.wfile.write(ANSWER.encode())

        do_GET = do_POST = do_DELETE = answer  # noqa: N815 - the names that http.server calls

        def log_message(self, *words: object) -> None:
            """Says nothing."""

    server = HTTPServer(("127.0.0.1", 0), Listener)
    told = Heard(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield told
    server.shutdown()
    thread.join()
    server.server_close()


def script(module: str, call: str, *arguments: Any) -> Any:
    """What a function of a script of ours answers."""
    written = (SCRIPTS / f"{module}.js").read_bytes()
    source = f"data:text/javascript;base64,{b64encode(written).decode()}"
    code = (
        f"const m = await import({json.dumps(source)});"
        f"process.stdout.write(JSON.stringify(m.{call}(...{json.dumps(arguments)})))"
    )
    ran = subprocess.run(
        [NODE, "--input-type=module", "-e", code], capture_output=True, check=True, timeout=PATIENCE_S
    )
    return json.loads(ran.stdout)


def run(language: Literal["curl", "python"], snippet: str, folder: Path) -> str:
    """What the snippet prints when it is pasted into a file and run."""
    file = folder / f"snippet.{language}"
    file.write_text(snippet, encoding="utf-8", newline="")
    shell = shutil.which("bash") or "sh"
    command = [shell, str(file)] if language == "curl" else [sys.executable, str(file)]
    ran = subprocess.run(command, capture_output=True, check=True, timeout=PATIENCE_S, env=_environment())
    return ran.stdout.decode()


def request(url: str, body: str | None, method: str = "POST", **more: Any) -> dict[str, Any]:
    headers = [] if body is None else [["Content-Type", "application/json"]]
    headers += more.pop("headers", [])
    return {"method": method, "url": url, "headers": headers, "body": body, "streams": False} | more


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("language", ["curl", "python"])
def test_a_body_arrives_as_it_was_typed(
    heard: Heard, tmp_path: Path, language: Literal["curl", "python"], name: str
) -> None:
    _needs(language)
    headers = [["X-Actor", 'agent:it\'s "me" $HOME \\ `x`'], ["Idempotency-Key", "a'b\"c"]]
    made = request(f"{heard.url}/a%20b/%E6%B5%8B/step?after=1&q='", HOSTILE[name], headers=headers)
    printed = run(language, script("api-snippets", language, made), tmp_path)
    ((method, path, sent, body),) = heard.requests
    assert (method, path, body) == ("POST", "/a%20b/%E6%B5%8B/step?after=1&q='", HOSTILE[name])
    assert sent["content-type"] == "application/json"
    assert (sent["x-actor"], sent["idempotency-key"]) == (headers[0][1], headers[1][1])
    assert "418" in printed


@pytest.mark.parametrize("language", ["curl", "python"])
def test_a_form_arrives_with_its_file(
    heard: Heard, tmp_path: Path, language: Literal["curl", "python"], monkeypatch: pytest.MonkeyPatch
) -> None:
    _needs(language)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sales.csv").write_text("a,b\n1,2\n")
    form = [["file", None, "sales.csv"], ["columns", '{"it\'s": "@decimal"}']]
    run(language, script("api-snippets", language, request(f"{heard.url}/x", None, form=form)), tmp_path)
    ((method, _, headers, body),) = heard.requests
    assert (method, headers["content-type"].split(";")[0]) == ("POST", "multipart/form-data")
    assert 'name="file"; filename="sales.csv"' in body
    assert "\r\n\r\na,b\n1,2\n\r\n" in body
    assert '\r\n\r\n{"it\'s": "@decimal"}\r\n' in body


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
@pytest.mark.parametrize("language", ["curl", "python"])
def test_a_request_without_a_body_sends_none(
    heard: Heard, tmp_path: Path, language: Literal["curl", "python"], method: str
) -> None:
    _needs(language)
    snippet = script("api-snippets", language, request(f"{heard.url}/x", None, method))
    printed = run(language, snippet, tmp_path)
    ((sent_method, path, headers, body),) = heard.requests
    assert (sent_method, path, body) == (method, "/x", "")
    assert "content-type" not in headers
    assert ANSWER in printed


@pytest.mark.parametrize(
    "text",
    ["{}", "[]", "1", '"a"', "[[], {}, [[1, 2.50, -0.0, 1e400]]]", '{"a":{"b":[1,{"c":null}]},"d":"},["}'],
)
def test_readable_json_means_the_same(text: str) -> None:
    assert json.loads(script("api-json", "pretty", text)) == json.loads(text)


def test_readable_json_keeps_every_digit() -> None:
    text = '{"seed":9223372036854775807,"value":1088.0,"long":"' + "x" * 100 + '"}'
    shown = script("api-json", "pretty", text)
    assert '"seed": 9223372036854775807,\n' in shown
    assert '"value": 1088.0,\n' in shown


@pytest.mark.parametrize("text", ["", "<b>", "{", '{"a": }', "NaN"])
def test_what_is_not_json_is_shown_as_it_is(text: str) -> None:
    assert script("api-json", "pretty", text) == text


def _needs(language: str) -> None:
    if language == "curl" and shutil.which("curl") is None:
        pytest.skip("there is no curl on this machine")


def _environment() -> dict[str, str]:
    return {
        "PATH": "/usr/bin:/bin:/usr/local/bin",
        "HOME": "/nowhere",
        "PYTHONIOENCODING": "utf-8",
        "LC_ALL": "C.UTF-8",
    }
