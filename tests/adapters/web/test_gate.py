"""Access control: only the browser with the link, only this machine's names, only our own pages."""

import itertools

import pytest

from adapters.web.gate import Keys
from tests.adapters.web.rooms import Served, Tab

_PLACES = ["/", "/talk", "/events", "/read/1", "/books", "/books/b_1"]


async def test_the_link_gives_a_cookie_and_leaves_the_address(house: Served) -> None:
    session = house.session()
    async with session.get(house.server.link, allow_redirects=False) as response:
        assert (response.status, response.headers["Location"]) == (303, "/")
        cookie = response.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    token = house.server.link.partition("key=")[2]
    assert len(token) > 40
    assert token not in cookie
    async with session.get(f"{house.server.address}") as response:
        assert response.status == 200
        assert token not in await response.text()


async def test_the_link_works_once_and_then_for_the_browser_that_opened_it(house: Served) -> None:
    first = house.session()
    for session, status in ((first, 200), (house.session(), 401), (first, 200)):
        async with session.get(house.server.link) as response:
            assert response.status == status


def test_a_cookie_is_good_for_a_day() -> None:
    keys, day = Keys(secret=b"x" * 32), 86_400
    cookie = keys.cookie(1_000_000)
    assert keys.admits(cookie, 1_000_000 + day - 1)
    assert not keys.admits(cookie, 1_000_000 + day)
    assert not keys.admits(cookie, 999_999)
    assert not keys.admits(cookie.replace("1000000", "1000001"), 1_000_002)
    assert not Keys(secret=b"y" * 32).admits(cookie, 1_000_001)


async def test_without_the_link_nothing_is_shown(house: Served) -> None:
    session = house.session()
    for path, query in itertools.product(_PLACES, ["", "?key=wrong", "?key="]):
        async with session.get(f"{house.server.address.rstrip('/')}{path}{query}") as response:
            assert response.status == 401
            text = await response.text()
        assert "Short Weight" not in text
        assert "thusfar web" in text


async def test_a_forged_cookie_opens_nothing(house: Served) -> None:
    for cookie in ("", "x", "ä", "0" * 64, "=;;,"):
        header = {"Cookie": f"thusfar-{house.port}={cookie}"}
        async with house.session().get(house.server.address, headers=header) as response:
            assert response.status == 401


async def test_another_name_for_this_machine_is_refused(house: Served, tab: Tab) -> None:
    """As in DNS rebinding: the right address under a foreign name, with the cookie."""
    hosts = ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.evil:{port}", ""]
    for host, path in itertools.product(hosts, (*_PLACES, "/static/talk.js")):
        headers = {"Host": host.format(port=house.port)}
        async with tab._session.get(f"{tab.origin}{path}", headers=headers) as response:
            assert response.status == 421


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1", None]
)
async def test_requests_from_another_page_are_refused(house: Served, tab: Tab, origin: str | None) -> None:
    headers = {} if origin is None else {"Origin": origin.format(port=house.port)}
    for path in ("/say", "/press", "/page", "/books/b_1"):
        async with tab._session.post(
            f"{tab.origin}{path}", json={"text": "/setpage 9", "page": 9}, headers=headers
        ) as got:
            assert got.status == 403
    async with tab._session.put(f"{tab.origin}/books?name=a.txt", data=b"text", headers=headers) as got:
        assert got.status == 403
    assert await house.position() is None


async def test_every_answer_has_the_strict_headers(tab: Tab) -> None:
    for path in (*_PLACES, "/static/talk.js", "/nowhere", "/static/../gate.py"):
        async with tab._session.get(f"{tab.origin}{path}") as response:
            policy = response.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert response.headers["Cache-Control"] == "no-store"
            assert response.headers["X-Content-Type-Options"] == "nosniff"


async def test_no_page_has_a_script_or_a_style_in_it_or_comes_from_elsewhere(tab: Tab) -> None:
    for path in ("/", "/books"):
        page = await tab.get(path)
        assert "<script>" not in page
        assert "style=" not in page
        assert "http://" not in page.replace("http://www.w3.org", "")
        assert "https://" not in page


def test_a_key_is_not_shown_where_it_is_printed() -> None:
    keys = Keys(secret=b"x" * 32)
    assert keys.token not in repr(keys)
    assert "xxxx" not in repr(keys)
